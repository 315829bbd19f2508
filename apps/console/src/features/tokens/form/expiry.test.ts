import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { EXPIRY_PRESETS, expiryAfter, expiryText, readExpiry } from "./expiry.ts";
import { timeUntil } from "../../../lib/format.ts";

const NOW = 1_790_000_000;
beforeEach(() => void vi.useFakeTimers({ now: NOW * 1_000 }));
afterEach(() => void vi.useRealTimers());

test("[TFORM-14..18] the presets: never, 30 days, one day, one hour, one minute", () => {
  const times = EXPIRY_PRESETS.map(({ name, seconds }) => [name, readExpiry(expiryAfter(seconds))]);
  expect(times).toEqual([
    ["never", -1],
    ["month", NOW + 30 * 24 * 3_600],
    ["day", NOW + 24 * 3_600],
    ["hour", NOW + 3_600],
    ["minute", NOW + 60],
  ]);
});

test("[TLIMIT-06] empty and -1 are never", () => {
  expect([readExpiry(""), readExpiry("  "), readExpiry("-1")]).toEqual([-1, -1, -1]);
  expect(expiryText(-1)).toBe("");
});

test("a stored expiry comes back to the second", () => {
  expect(readExpiry(expiryText(1_800_000_001))).toBe(1_800_000_001);
});

test("days are taken with and without a time, with a T or slashes", () => {
  const at = (...parts: [number, number, number, number?, number?, number?]) => {
    const [year, month, day, hour = 0, minute = 0, second = 0] = parts;
    return new Date(year, month - 1, day, hour, minute, second).getTime() / 1_000;
  };
  expect(readExpiry("2030-02-03")).toBe(at(2030, 2, 3));
  expect(readExpiry("2030/2/3 4:05")).toBe(at(2030, 2, 3, 4, 5));
  expect(readExpiry(" 2030-02-03T04:05:06 ")).toBe(at(2030, 2, 3, 4, 5, 6));
});

test.each(["soon", "1", "0", "2030-13-01", "2030-02-31", "2030-02-03 25:00", "2030-02-03 10:60", "2030-02-03 10:00 x"])(
  "[TFORM-13] %s is no moment",
  (text) => {
    expect(readExpiry(text)).toBeUndefined();
  },
);

beforeEach(() => void vi.useFakeTimers({ now: 1_790_000_000_000 }));
afterEach(() => void vi.useRealTimers());

test("a distance is told in the largest unit that fits", () => {
  const told = [30 * 86_400, 3_600, 60, 20, -86_400].map((seconds) => timeUntil(1_790_000_000 + seconds, "en"));
  expect(told).toEqual(["in 30 days", "in 1 hour", "in 1 minute", "in 20 seconds", "1 day ago"]);
});
