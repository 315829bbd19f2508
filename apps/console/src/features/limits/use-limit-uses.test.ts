import { expect, test } from "vitest";
import { nearestUse } from "./use-limit-uses.ts";

const use = (used: number, limit: number) => ({ field: "rpm_limit" as const, model: "", limit, used, resets_in: 0 });

test("the nearest limit is the one of which the largest share is used", () => {
  expect(nearestUse([use(5, 100), use(4, 10), use(50, 1_000)])).toEqual(use(4, 10));
  expect(nearestUse([])).toBeUndefined();
});
