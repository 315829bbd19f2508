import assert from "node:assert/strict";
import { it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { TimeSlices } from "./time-slices.ts";

/** Counts to the number, one slice for each. */
function* countTo(most: number, steps: string[], name: string): Generator<void, number, void> {
  for (let count = 0; count < most; count += 1) {
    steps.push(name);
    yield;
  }
  return most;
}

const always = () => true;

it("runs one slice at a time, round robin", async () => {
  const slices = new TimeSlices();
  const steps: string[] = [];
  const both = Promise.all([slices.run(countTo(3, steps, "a"), always), slices.run(countTo(2, steps, "b"), always)]);
  for (let turn = 1; turn <= 5; turn += 1) {
    await nextTurn();
    assert.ok(steps.length <= turn, `${steps.length} steps in ${turn} slices`);
  }
  assert.deepEqual(await both, [3, 2]);
  assert.equal(steps.join(""), "ababa");
  assert.equal(await slices.run(countTo(1, steps, "c"), always), 1);
});

it("runs the given number of slices at a time", async () => {
  const slices = new TimeSlices(3);
  const calls: number[] = [];
  for (let call = 1; call <= 7; call += 1) slices.schedule(() => calls.push(call));
  for (const most of [3, 6, 7]) {
    await nextTurn();
    assert.ok(calls.length <= most, `${calls.length} of ${most}`);
  }
  await nextTurn();
  assert.deepEqual(calls, [1, 2, 3, 4, 5, 6, 7]);
});

it("rejects failed work, and continues with the rest", async () => {
  const slices = new TimeSlices();
  const failing = slices.run(
    (function* fail(): Generator<void, number, void> {
      yield;
      throw new Error("no further");
    })(),
    always,
  );
  const other = slices.run(countTo(3, [], "a"), always);
  await assert.rejects(failing, /no further/);
  assert.equal(await other, 3);
});

it("drops unwanted work", async () => {
  const slices = new TimeSlices();
  const steps: string[] = [];
  let isWanted = true;
  void slices.run(countTo(1_000_000, steps, "a"), () => isWanted);
  await nextTurn();
  isWanted = false;
  await slices.run(countTo(3, [], "b"), always);
  assert.ok(steps.length <= 2, `${steps.length} steps`);
});
