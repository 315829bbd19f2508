import { expect, test } from "vitest";
import { responseTimeLevel } from "./test-result.tsx";

test.each([
  [0, "untested"],
  [1, "quick"],
  [1_000, "quick"],
  [1_001, "fair"],
  [3_000, "fair"],
  [3_001, "slow"],
  [5_000, "slow"],
  [5_001, "very-slow"],
])("[CHLIST-35..39] %i ms is %s", (responseTimeMs, level) => {
  expect(responseTimeLevel(responseTimeMs)).toBe(level);
});
