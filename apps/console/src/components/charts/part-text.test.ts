import { expect, test } from "vitest";
import { partText } from "./part-text.ts";

const at = (day: number, hour: number) => new Date(2026, 10, day, hour).getTime() / 1_000;

test.each([
  ["hours have their day", at(28, 9), at(28, 15), "2026-11-28 09:00–15:00"],
  ["a day is its date", at(28, 0), at(29, 0), "2026-11-28"],
  ["24 hours over midnight belong to no single date", at(28, 16), at(29, 16), "2026-11-28 16:00 – 2026-11-29 16:00"],
  ["days go up to the last one", at(20, 0), at(29, 0), "2026-11-20 – 2026-11-28"],
])("%s", (_what, from, to, text) => {
  expect(partText(from, to)).toBe(text);
});
