import assert from "node:assert/strict";
import { test } from "node:test";
import { type Batch, stretchesBefore } from "./log-span.ts";

/** Batches with ten ids each. */
function batchesOf(...times: readonly (readonly [newest: number, oldestBucket: number])[]): Batch[] {
  return times.map(([newest, oldestBucket], index) => ({
    batch: index + 1,
    lastId: 10 * (index + 1),
    newest,
    oldestBucket,
  }));
}

const REST = Number.MAX_SAFE_INTEGER;

test("entries from before a time are looked for where a batch may hold them, and behind the last one", () => {
  const batches = batchesOf([100, 1], [200, 2], [300, 2], [400, 4], [500, 2], [600, 6]);
  for (const [time, expected] of [
    [
      101,
      [
        [0, 10],
        [60, REST],
      ],
    ],
    // The bucket of the second batch begins at 101.
    [
      102,
      [
        [0, 30],
        [40, 50],
        [60, REST],
      ],
    ],
    [
      302,
      [
        [0, 50],
        [60, REST],
      ],
    ],
    [700, [[0, REST]]],
  ] as const)
    // prettier-ignore
    assert.deepEqual(
      stretchesBefore(batches, time),
      expected.map(([after, last]) => ({ after, last })),
      `before ${time}`,
    );
  assert.deepEqual(stretchesBefore([], 5), [{ after: 0, last: REST }], "without batches everywhere");
});
