import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Deadline } from "./deadline.ts";

/** Stops the clock. Returns a function that lets this many ms pass. */
function stopClock({ mock }: TestContext): (ms: number) => void {
  let nowMs = 0;
  mock.method(performance, "now", () => nowMs);
  mock.timers.enable({ apis: ["setTimeout"] });
  return (ms) => {
    nowMs += ms;
    mock.timers.tick(ms);
  };
}

test("a deadline does not expire while it is paused, and does once it runs on", (t) => {
  const pass = stopClock(t);
  let isOver = false;
  const deadline = new Deadline(20, () => (isOver = true));
  pass(15);
  deadline.pause();
  deadline.pause();
  pass(60);
  assert.equal(isOver, false);
  deadline.resume();
  pass(4);
  assert.equal(isOver, false);
  pass(1);
  assert.equal(isOver, true);
});

test("a deadline expires on time without a pause", (t) => {
  const pass = stopClock(t);
  let isOver = false;
  const deadline = new Deadline(20, () => (isOver = true));
  deadline.resume();
  pass(19);
  assert.equal(isOver, false);
  pass(1);
  assert.equal(isOver, true);
});

test("a stopped deadline never expires", (t) => {
  const pass = stopClock(t);
  const deadline = new Deadline(20, () => assert.fail("it was stopped"));
  pass(10);
  deadline.stop();
  pass(1_000);
});
