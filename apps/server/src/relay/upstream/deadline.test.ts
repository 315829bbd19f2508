import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { Deadline } from "./deadline.ts";

test("a deadline does not expire while it is paused, and does once it runs on", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isOver = false;
  const deadline = new Deadline(20, () => {
    isOver = true;
    resolve();
  });
  deadline.pause();
  deadline.pause();
  await wait(60);
  assert.equal(isOver, false);
  deadline.resume();
  await promise;
});

test("a stopped deadline keeps no process alive", async () => {
  const deadline = new Deadline(1, () => assert.fail("it was stopped"));
  deadline.stop();
  await wait(10);
});
