import { expect, test } from "vitest";
import { timeTicks } from "./time-ticks.ts";

const at = (day: number, hour = 0, month = 4) => new Date(2026, month, day, hour).getTime() / 1_000;

function ticks(edges: readonly number[], most = 20): string[] {
  return timeTicks(edges, most, "en").map(({ at: place, text }) => `${place} ${text}`);
}

const daily = (days: number) => Array.from({ length: days + 1 }, (_, day) => at(1 + day));

test("hours are labelled where they begin", () => {
  expect(ticks([at(1, 6), at(1, 7), at(1, 8), at(1, 9)])).toEqual(["-0.5 06:00", "0.5 07:00", "1.5 08:00"]);
});

test("parts of days are labelled where days begin, whole days under themselves, months likewise", () => {
  const quarters = Array.from({ length: 14 }, (_, quarter) => at(1, 12 + 6 * quarter));
  expect(ticks(quarters)).toEqual(["1.5 2 Sat", "5.5 3 Sun", "9.5 4 Mon"]);
  expect(ticks(daily(20)).at(-1)).toBe("19 May 20");
  expect(ticks([at(1, 0, 0), at(1, 0, 1), at(1, 0, 2), at(1, 0, 3), at(1, 0, 4)])[1]).toBe("1 Feb 2026");
});

test("there are no more labels than fit, at equal distances", () => {
  expect(ticks(daily(12), 5).map((tick) => Number(tick.split(" ")[0]))).toEqual([0, 3, 6, 9]);
});
