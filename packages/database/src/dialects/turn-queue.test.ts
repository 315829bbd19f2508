import assert from "node:assert/strict";
import { it } from "node:test";
import { DatabaseUnavailableError } from "../database-errors.ts";
import { TurnQueue } from "./turn-queue.ts";

it("lets everybody in one at a time, in the order of asking", async () => {
  const turns = new TurnQueue(5000);
  const order: string[] = [];
  await Promise.all(
    ["a", "b", "c"].map(async (name) => {
      await turns.take();
      order.push(`${name} in`);
      await new Promise(setImmediate);
      order.push(`${name} out`);
      turns.release();
    }),
  );
  assert.deepEqual(order, ["a in", "a out", "b in", "b out", "c in", "c out"]);
});

it("refuses those who wait too long behind a stuck holder, and serves the later ones when it lets go", async () => {
  const turns = new TurnQueue(20);
  await turns.take();
  await assert.rejects(async () => turns.take(), DatabaseUnavailableError);
  await assert.rejects(async () => turns.take(), /busy for more than 20 ms/);
  const next = turns.take();
  turns.release();
  await next;
  turns.release();
  assert.equal(turns.take(), undefined, "the turn is free again");
});
