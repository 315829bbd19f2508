import { expect, test } from "vitest";
import { markPlaces } from "./mark-places.ts";

test("marks of an interval stand together where the first of them is; others are left out", () => {
  expect(markPlaces([5, 15, 18, 40], [10, 20, 30], (time) => time)).toEqual([
    { interval: 0, place: 25, found: [15, 18] },
  ]);
  expect(markPlaces([20], [10, 20, 30], (time) => time)).toMatchObject([{ interval: 1, place: 50 }]);
});
