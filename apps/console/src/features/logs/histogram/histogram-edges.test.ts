import { expect, test } from "vitest";
import { histogramEdges } from "./histogram-edges.ts";

const NOW = 1_790_000_123;
const HOUR = 3_600;
const DAY = 24 * HOUR;

test.each([
  ["no time: the last 30 days", { start: 0, end: NOW + HOUR }, NOW - 30 * DAY, DAY],
  ["a week", { start: NOW - 7 * DAY, end: NOW + HOUR }, NOW - 7 * DAY, 4 * HOUR],
  ["a quarter", { start: NOW - 90 * DAY, end: NOW }, NOW - 90 * DAY, 2 * DAY],
  ["ten years", { start: NOW - 3_650 * DAY, end: NOW }, NOW - 3_650 * DAY, 364 * DAY],
  ["ten minutes: a day around them", { start: NOW - 3 * DAY, end: NOW - 3 * DAY + 600 }, NOW - 3.5 * DAY, 0.5 * HOUR],
  ["the future: the last day", { start: NOW + DAY, end: NOW + 2 * DAY }, NOW - DAY, 0.5 * HOUR],
])("%s has bars of one length, fewer than the server takes", (_name, chosen, start, step) => {
  const edges = histogramEdges(chosen, NOW);
  const [first = 0, last = 0] = [edges[0], edges.at(-1)];
  expect(edges.slice(1).every((edge, index) => edge - (edges[index] ?? 0) === step)).toBe(true);
  expect(first <= start && first > start - step).toBe(true);
  expect(last).toBeGreaterThanOrEqual(Math.min(chosen.end, NOW));
  expect(edges.length).toBeLessThanOrEqual(53);
});
