import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { timeUntil } from "./time-until.ts";

beforeEach(() => void vi.useFakeTimers({ now: 1_790_000_000_000 }));
afterEach(() => void vi.useRealTimers());

test("a distance is told in the largest unit that fits", () => {
  const told = [30 * 86_400, 3_600, 60, 20, -86_400].map((seconds) => timeUntil(1_790_000_000 + seconds, "en"));
  expect(told).toEqual(["in 30 days", "in 1 hour", "in 1 minute", "in 20 seconds", "1 day ago"]);
});
