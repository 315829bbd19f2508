import { expect, test } from "vitest";
import { formatSeconds } from "../../lib/format.ts";
import { formatSecondsWithin } from "./seconds-within.ts";

test.each([
  [3, 3, "3"],
  [3, 420, "3 ms"],
  [250, 420, "0.25"],
  [2_310, 65_000, "2.31 s"],
  [61_000, 65_000, "1 min 1 s"],
])("%i ms of %i ms are %s", (durationMs, totalMs, text) => {
  expect(formatSecondsWithin(durationMs, formatSeconds(totalMs))).toBe(text);
});
