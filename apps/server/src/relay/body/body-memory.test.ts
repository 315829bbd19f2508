import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BodyMemory } from "./body-memory.ts";

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

/** Has the account take as much as it can in bodies of that length, and returns how much that was. */
function takeAll(room: BodyMemory, userId: number, bytes: number): number {
  let taken = 0;
  while (room.take(bytes)) {
    if (!room.countFor(userId).take(bytes)) {
      room.release(bytes);
      return taken;
    }
    taken += bytes;
  }
  return taken;
}

describe("the room for bodies", () => {
  it("leaves an eighth to short ones, however many accounts send long ones", () => {
    const room = new BodyMemory(256 * MEBIBYTE);
    for (let userId = 1; userId <= 40; userId += 1) takeAll(room, userId, 65 * KIBIBYTE);
    const { all } = room.taken;
    assert.ok(all > 200 * MEBIBYTE && all <= 224 * MEBIBYTE, `${all} bytes`);
    assert.equal(room.take(32 * MEBIBYTE), true);
  });

  it("gives one account two thirds of what is for long ones, and the next two thirds of what is left", () => {
    const room = new BodyMemory(256 * MEBIBYTE);
    const shares = [1, 2, 3].map((userId) => Math.round(takeAll(room, userId, 65 * KIBIBYTE) / MEBIBYTE));
    assert.deepEqual(shares, [149, 50, 17]);
  });

  it("counts a short one for its account as long as it comes, and a long one until it is gone", () => {
    const room = new BodyMemory(256 * MEBIBYTE);
    const [short, long] = [room.countFor(1), room.countFor(1)];
    short.take(10_000);
    long.take(10_000);
    assert.equal(room.taken.byAccount, 20_000);
    short.take(20_000);
    long.take(90_000);
    assert.equal(room.taken.byAccount, 130_000);
    for (const count of [short, long]) count.came();
    assert.equal(room.taken.byAccount, 100_000);
    short.take(MEBIBYTE);
    short.shrink(MEBIBYTE);
    for (const count of [short, long, short, long]) count.release();
    assert.equal(room.taken.byAccount, 0);
  });

  it("has no room beyond all of it", () => {
    const room = new BodyMemory(100);
    assert.deepEqual([room.take(100), room.take(1)], [true, false]);
    room.release(1);
    assert.equal(room.take(1), true);
  });
});
