import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BufferPool } from "./buffer-pool.ts";

const MEBIBYTE = 1024 * 1024;

describe("memory of long bodies", () => {
  it("is used again for the next body of about that length", () => {
    const memory = new BufferPool();
    const first = memory.take(3 * MEBIBYTE);
    memory.giveBack(first);
    const next = memory.take(2 * MEBIBYTE);
    assert.equal(next.length, 2 * MEBIBYTE);
    assert.equal(next.buffer, first.buffer);
    assert.notEqual(memory.take(2 * MEBIBYTE).buffer, next.buffer, "one that is in use belongs to nobody else");
  });

  it("is never longer than twice what is asked for", () => {
    const memory = new BufferPool();
    memory.giveBack(memory.take(3 * MEBIBYTE));
    assert.equal(memory.take(MEBIBYTE).buffer.byteLength, MEBIBYTE);
  });

  it("is kept up to 64 MiB, of the last ones", () => {
    const memory = new BufferPool();
    const bodies = [20, 24, 28, 30].map((mebibytes) => memory.take(mebibytes * MEBIBYTE));
    for (const body of bodies) memory.giveBack(body);
    const lengths = [20, 20, 20].map((mebibytes) => memory.take(mebibytes * MEBIBYTE).buffer.byteLength / MEBIBYTE);
    assert.deepEqual(lengths, [28, 30, 20]);
  });

  it("is forgotten when no body comes for a while", (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const memory = new BufferPool();
    memory.giveBack(memory.take(2 * MEBIBYTE));
    t.mock.timers.tick(9_999);
    memory.giveBack(memory.take(MEBIBYTE));
    t.mock.timers.tick(9_999);
    memory.giveBack(memory.take(MEBIBYTE));
    t.mock.timers.tick(10_000);
    assert.equal(memory.take(MEBIBYTE).buffer.byteLength, MEBIBYTE);
  });
});
