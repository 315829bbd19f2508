import { expect, test } from "vitest";
import { formatBalance } from "./format-balance.ts";

test.each([
  [1, 12.345, "$12.35"],
  [8, 3, "$3.00"],
  [1, -2.5, "-$2.50"],
  [4, 7.5, "¥7.50"],
  [12, 7.5, "¥7.50"],
  [36, 88.2, "¥88.20"],
  [44, 0, "¥0.00"],
  [5, 123_456, "12.35"],
  [10, 1_234_567, "1.2M"],
  [13, 420, "420"],
  [14, 5, undefined],
  [999, 5, undefined],
])("[CHLIST-30..34] a balance of type %i of %d reads %s", (type, balance, text) => {
  expect(formatBalance(type, balance)).toBe(text);
});
