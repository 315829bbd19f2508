import assert from "node:assert/strict";
import { test } from "node:test";
import { orderedPageOf, pageOf } from "./list-page.ts";

test("a page is asked for by its number and size, and without a size the first thousand rows are, whatever the number", () => {
  assert.deepEqual(pageOf({ p: 0, size: 20 }), { limit: 20, offset: 0 });
  assert.deepEqual(pageOf({ p: 3, size: 20 }), { limit: 20, offset: 60 });
  assert.deepEqual(pageOf({ p: 3 }), { limit: 1_000, offset: 0 });
});

test("an ordered page has the order and its direction beside the stretch, and nothing else of the query", () => {
  const query = { p: 1, size: 10, order: "name", direction: "desc", keyword: "a" } as const;
  assert.deepEqual(orderedPageOf(query), { limit: 10, offset: 10, order: "name", direction: "desc" });
});
