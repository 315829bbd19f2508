import assert from "node:assert/strict";
import { test } from "node:test";
import { orderedPageOf, pageOf } from "./list-page.ts";

test("a page has a number and a size; without a size the first thousand rows are returned", () => {
  assert.deepEqual(pageOf({ p: 0, size: 20 }), { limit: 20, offset: 0 });
  assert.deepEqual(pageOf({ p: 3, size: 20 }), { limit: 20, offset: 60 });
  assert.deepEqual(pageOf({ p: 3 }), { limit: 1_000, offset: 0 });
});

test("an ordered page has order, direction, limit and offset only", () => {
  const query = { p: 1, size: 10, order: "name", direction: "desc", keyword: "a" } as const;
  assert.deepEqual(orderedPageOf(query), { limit: 10, offset: 10, order: "name", direction: "desc" });
});
