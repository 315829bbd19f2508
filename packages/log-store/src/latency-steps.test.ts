import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { NO_STEP, percentileOf, stepOf } from "./latency-steps.ts";

/** The longest time that has a step of its own. */
const LONGEST_MS = 2 ** (255 / 12);

function countSteps(times: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const ms of times) counts.set(stepOf(ms), (counts.get(stepOf(ms)) ?? 0) + 1);
  return counts;
}

test("percentiles are at most 6 % beside the exact ones, or half a ms where they are rounded", () => {
  const times = fc.array(
    fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: Math.floor(LONGEST_MS) })),
    { minLength: 1, maxLength: 300 },
  );
  const part = fc.constantFrom(0.01, 0.5, 0.9, 0.95, 0.99);
  fc.assert(
    fc.property(times, part, (list, of) => {
      const sorted = list.toSorted((left, right) => left - right);
      const exact = sorted[Math.max(0, Math.ceil(sorted.length * of) - 1)] ?? 0;
      const found = percentileOf(of, countSteps(list)) ?? 0;
      assert.ok(Math.abs(found - exact) <= exact * 0.06 + 0.5, `${found} is not about ${exact}`);
    }),
    { numRuns: 1_000 },
  );
});

test("steps grow with times, and have an end", () => {
  const time = fc.integer({ min: 1, max: 1_000_000_000 });
  fc.assert(fc.property(time, time, (left, right) => left > right || stepOf(left) <= stepOf(right)));
  assert.deepEqual([0, -5].map(stepOf), [NO_STEP, NO_STEP]);
  assert.deepEqual([1, 2, 1_000, 2 ** 40].map(stepOf), [0, 12, 119, 254]);
});

test("there is no percentile without entries", () => {
  assert.equal(percentileOf(0.5, new Map()), null);
  assert.equal(percentileOf(0.5, new Map([[12, 0]])), null);
});
