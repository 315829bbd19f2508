import { expect, test } from "vitest";
import { valueScale } from "./value-scale.ts";

test("a scale ends at a round value that no value exceeds, and has no more steps than there is room for", () => {
  expect(valueScale([3, 15, 7], 3)).toEqual({ range: [0, 15], ticks: [0, 5, 10, 15] });
  expect(valueScale([16], 3)).toEqual({ range: [0, 20], ticks: [0, 10, 20] });
  expect(valueScale([0.0243], 3)).toEqual({ range: [0, 0.03], ticks: [0, 0.01, 0.02, 0.03] });
  expect(valueScale([0.3], 3).ticks).toEqual([0, 0.1, 0.2, 0.3]);
});

test("losses have ticks below 0, and nothing but zeros has one tick", () => {
  expect(valueScale([-3, 8], 4).ticks).toEqual([-4, 0, 4, 8]);
  expect(valueScale([0, 0], 4)).toEqual({ range: [0, 1], ticks: [0] });
  expect(valueScale([], 4).ticks).toEqual([0]);
});

test("counts have whole steps", () => {
  expect(valueScale([1], 3, Number.isInteger)).toEqual({ range: [0, 1], ticks: [0, 1] });
  expect(valueScale([7], 3, Number.isInteger).ticks).toEqual([0, 4, 8]);
});
