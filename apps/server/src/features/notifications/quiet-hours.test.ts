import assert from "node:assert/strict";
import { test } from "node:test";
import { quietUntil } from "./quiet-hours.ts";

const seconds = (text: string) => Date.parse(text) / 1000;
const berlin = { start: "22:00", end: "07:00", time_zone: "Europe/Berlin" };

const until = (quiet: typeof berlin, now: string) => {
  const end = quietUntil(quiet, seconds(now));
  return end === undefined ? undefined : new Date(end * 1000).toISOString();
};

test("quiet hours over midnight end in the morning of their time zone", () => {
  assert.equal(until(berlin, "2025-06-01T19:59:59Z"), undefined);
  assert.equal(until(berlin, "2025-06-01T20:00:30Z"), "2025-06-02T05:00:00.000Z");
  assert.equal(until(berlin, "2025-06-02T04:59:59Z"), "2025-06-02T05:00:00.000Z");
  assert.equal(until(berlin, "2025-06-02T05:00:00Z"), undefined);
});

test("quiet hours within a day end on that day", () => {
  const lunch = { start: "12:00", end: "13:30", time_zone: "Asia/Shanghai" };
  assert.equal(until(lunch, "2025-06-01T04:30:00Z"), "2025-06-01T05:30:00.000Z");
  assert.equal(until(lunch, "2025-06-01T12:30:00Z"), undefined);
});

test("they end at their local time when the clocks change in the night", () => {
  assert.equal(until(berlin, "2025-03-29T22:00:00Z"), "2025-03-30T05:00:00.000Z");
  assert.equal(until(berlin, "2025-10-25T21:00:00Z"), "2025-10-26T06:00:00.000Z");
  assert.equal(quietUntil(undefined, 0), undefined);
});
