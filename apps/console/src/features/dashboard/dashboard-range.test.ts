import { expect, test } from "vitest";
import { edgesBefore, edgesInSteps, edgesOf, timeBefore } from "./dashboard-range.ts";
import { readDashboardSearch } from "./dashboard-search.ts";

const now = new Date(2026, 4, 20, 14, 25, 10);
const at = (...parts: [number, number, number, number?]) => Math.floor(new Date(...parts).getTime() / 1_000);

test("relative ranges end with the step that runs, and begin by the viewer's calendar", () => {
  const ends = (range: Parameters<typeof edgesOf>[0]["range"]) => {
    const edges = edgesOf({ range }, now);
    return [edges.length - 1, edges[0], edges.at(-1)];
  };
  expect(ends("today")).toEqual([15, at(2026, 4, 20), at(2026, 4, 20, 15)]);
  expect(ends("day")).toEqual([24, at(2026, 4, 19, 15), at(2026, 4, 20, 15)]);
  expect(ends("week")).toEqual([28, at(2026, 4, 13, 18), at(2026, 4, 20, 18)]);
  expect(ends(undefined)).toEqual(ends("week"));
  expect(ends("month")).toEqual([30, at(2026, 3, 21), at(2026, 4, 21)]);
  expect(ends("this-month")).toEqual([20, at(2026, 4, 1), at(2026, 4, 21)]);
  expect(ends("year")).toEqual([12, at(2025, 5, 1), at(2026, 5, 1)]);
});

test("a time of one's own is told in steps that leave at most a hundred", () => {
  for (const days of [1, 3, 14, 95, 400, 690, 2_000]) {
    const [start, end] = [at(2026, 4, 20) - days * 86_400, at(2026, 4, 20)];
    const edges = edgesOf({ start, end }, now);
    expect(edges.length - 1, `${days} days`).toBeLessThanOrEqual(100);
    expect(edges[0]).toBeLessThanOrEqual(start);
    expect(edges.at(-1)).toBeGreaterThanOrEqual(end);
    expect(edges.every((edge, index) => index === 0 || edge > (edges[index - 1] ?? 0))).toBe(true);
  }
});

test("an address is read leniently: what is none of the choices is left out", () => {
  expect(readDashboardSearch({ range: "ever", by: "moon", metric: "spend", user: "-1", start: "5" })).toEqual({
    metric: "spend",
  });
  expect(readDashboardSearch({ range: "day", start: "5", end: "9" })).toMatchObject({
    start: 5,
    end: 9,
    range: undefined,
  });
});

test("what is still running is compared with the same part of the time before, by the calendar", () => {
  const seconds = (...parts: [number, number, number, number, number, number]) =>
    Math.floor(new Date(...parts).getTime() / 1_000);
  const before = (range: Parameters<typeof edgesOf>[0]["range"], moment = now) => timeBefore({ range }, moment);
  expect(before("today")).toEqual([at(2026, 4, 19), seconds(2026, 4, 19, 14, 25, 10)]);
  expect(before("day")).toEqual([at(2026, 4, 18, 15), seconds(2026, 4, 19, 14, 25, 10)]);
  expect(before("week")).toEqual([at(2026, 4, 6, 18), seconds(2026, 4, 13, 14, 25, 10)]);
  expect(before("month")).toEqual([at(2026, 2, 22), seconds(2026, 3, 20, 14, 25, 10)]);
  expect(before("this-month")).toEqual([at(2026, 3, 1), seconds(2026, 3, 20, 14, 25, 10)]);
  expect(before("year")).toEqual([at(2024, 5, 1), seconds(2025, 4, 20, 14, 25, 10)]);
  expect(before("this-month", new Date(2026, 2, 31, 9))).toEqual([at(2026, 1, 1), at(2026, 1, 28, 9)]);
});

test("each interval has one of the period before beside it, and none where that was shorter", () => {
  const before = (range: Parameters<typeof edgesOf>[0]["range"], moment = now) => edgesBefore({ range }, moment);
  for (const range of ["today", "day", "week", "month", "this-month", "year"] as const)
    expect(before(range), range).toHaveLength(edgesOf({ range }, now).length);
  expect(before("today").slice(0, 2)).toEqual([at(2026, 4, 19), at(2026, 4, 19, 1)]);
  expect(before("year").slice(-2)).toEqual([at(2025, 4, 1), at(2025, 5, 1)]);
  const march = before("this-month", new Date(2026, 2, 31, 9));
  expect([march.length, march[0], march.at(-1)]).toEqual([29, at(2026, 1, 1), at(2026, 2, 1)]);
});

test("days of one's own are compared with as many days before them, or with what has passed of them", () => {
  const own = { start: at(2026, 4, 1), end: at(2026, 4, 11) };
  expect(timeBefore(own, now)).toEqual([at(2026, 3, 21), at(2026, 4, 1)]);
  const running = { start: at(2026, 4, 19), end: at(2026, 4, 21) };
  expect(timeBefore(running, new Date(2026, 4, 20, 6))).toEqual([at(2026, 4, 17), at(2026, 4, 18, 6)]);
});

test("steps of one's own cut the same time at the calendar's hours, days and Mondays; too many leave its own", () => {
  const week = { range: "week" } as const;
  const own = edgesOf(week, now);
  const days = edgesOf({ ...week, step: "day" }, now);
  expect([days[0], days.at(-1)]).toEqual([own[0], own.at(-1)]);
  expect(days.slice(1, -1)).toEqual([14, 15, 16, 17, 18, 19, 20].map((day) => at(2026, 4, day)));
  // The 18th of May 2026 is a Monday.
  expect(edgesOf({ ...week, step: "week" }, now)).toEqual([own[0], at(2026, 4, 18), own.at(-1)]);
  expect(edgesInSteps(own, "hour")).toBeUndefined();
  expect(edgesOf({ ...week, step: "hour" }, now)).toEqual(own);
  expect(edgesOf({ range: "day", step: "hour" }, now)).toEqual(edgesOf({ range: "day" }, now));
  expect(edgesOf({ range: "year", step: "week" }, now).length - 1).toBe(53);
});
