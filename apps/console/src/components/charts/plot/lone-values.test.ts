import { expect, test } from "vitest";
import { loneValues } from "./lone-values.ts";

test("values without a neighbour are points, at the ends too, and all where most are unknown", () => {
  expect(loneValues([5, null, 1, 2, null, 0, null, 7])).toEqual([0, 5, 7]);
  expect(loneValues([3])).toEqual([0]);
  expect(loneValues([1, 2])).toEqual([]);
  expect(loneValues([1, 2, null, null, null])).toEqual([0, 1]);
});
