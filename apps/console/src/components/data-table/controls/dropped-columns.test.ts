import { expect, test } from "vitest";
import { columnsToDrop } from "./dropped-columns.ts";

const widths = new Map([
  ["id", 40],
  ["requests", 80],
  ["role", 140],
  ["active", 70],
]);

/** Least important first. */
const ids = ["id", "requests", "role", "active"];

test("hides the least important columns until the others fit", () => {
  expect(columnsToDrop(ids, widths, 100)).toEqual(["id", "requests"]);
});

test("keeps a column that fits once a wider one is hidden", () => {
  // All but `active` are hidden to win 200 px, which 260 are; `id` needs 40 of the 60 that are left.
  expect(columnsToDrop(ids, widths, 200)).toEqual(["requests", "role"]);
});

test("gives the room that is left to the most important column that fits into it", () => {
  // 250 px are won where 170 are needed: `active` fits into the rest, and so would `id` alone.
  expect(columnsToDrop(["id", "active", "role"], widths, 170)).toEqual(["id", "role"]);
});

test("hides all that can be hidden where that is not enough", () => {
  expect(columnsToDrop(ids, widths, 1_000)).toEqual(ids);
});
