import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BodyMemory } from "./body-memory.ts";

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

/** Fills the memory with an account's bodies of one length. Returns the bytes taken. */
function takeAll(memory: BodyMemory, userId: number, bytes: number): number {
  let taken = 0;
  while (memory.take(bytes)) {
    if (!memory.countFor(userId).take(bytes)) {
      memory.release(bytes);
      return taken;
    }
    taken += bytes;
  }
  return taken;
}

describe("memory of bodies", () => {
  it("leaves an eighth to short bodies", () => {
    const memory = new BodyMemory(256 * MEBIBYTE);
    for (let userId = 1; userId <= 40; userId += 1) takeAll(memory, userId, 65 * KIBIBYTE);
    const { all } = memory.taken;
    assert.ok(all > 200 * MEBIBYTE && all <= 224 * MEBIBYTE, `${all} bytes`);
    assert.equal(memory.take(32 * MEBIBYTE), true);
  });

  it("gives one account two thirds of the long bodies' memory, and the next two thirds of the rest", () => {
    const memory = new BodyMemory(256 * MEBIBYTE);
    const shares = [1, 2, 3].map((userId) => Math.round(takeAll(memory, userId, 65 * KIBIBYTE) / MEBIBYTE));
    assert.deepEqual(shares, [149, 50, 17]);
  });

  it("counts a short body for its account until it is complete, and a long one until it is released", () => {
    const memory = new BodyMemory(256 * MEBIBYTE);
    const [short, long] = [memory.countFor(1), memory.countFor(1)];
    short.take(10_000);
    long.take(10_000);
    assert.equal(memory.taken.byAccount, 20_000);
    short.take(20_000);
    long.take(90_000);
    assert.equal(memory.taken.byAccount, 130_000);
    for (const count of [short, long]) count.complete();
    assert.equal(memory.taken.byAccount, 100_000);
    short.take(MEBIBYTE);
    short.shrink(MEBIBYTE);
    for (const count of [short, long, short, long]) count.release();
    assert.equal(memory.taken.byAccount, 0);
  });

  it("never exceeds its size", () => {
    const memory = new BodyMemory(100);
    assert.deepEqual([memory.take(100), memory.take(1)], [true, false]);
    memory.release(1);
    assert.equal(memory.take(1), true);
  });
});
