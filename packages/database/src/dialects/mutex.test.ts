import assert from "node:assert/strict";
import { it } from "node:test";
import { DatabaseUnavailableError } from "../database-errors.ts";
import { Mutex } from "./mutex.ts";

it("grants the lock to one at a time, in the order of requests", async () => {
  const mutex = new Mutex(5000);
  const order: string[] = [];
  await Promise.all(
    ["a", "b", "c"].map(async (name) => {
      await mutex.lock();
      order.push(`${name} in`);
      await new Promise(setImmediate);
      order.push(`${name} out`);
      mutex.release();
    }),
  );
  assert.deepEqual(order, ["a in", "a out", "b in", "b out", "c in", "c out"]);
});

it("refuses requests that wait too long, and grants later ones after the release", async () => {
  const mutex = new Mutex(20);
  await mutex.lock();
  await assert.rejects(async () => mutex.lock(), DatabaseUnavailableError);
  await assert.rejects(async () => mutex.lock(), /busy for more than 20 ms/);
  const next = mutex.lock();
  mutex.release();
  await next;
  mutex.release();
  assert.equal(mutex.lock(), undefined, "the lock is free again");
});
