import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BufferPool } from "./buffer-pool.ts";

const MEBIBYTE = 1024 * 1024;

describe("buffers of long bodies", () => {
  it("are reused for the next body of similar length", () => {
    const memory = new BufferPool();
    const first = memory.take(3 * MEBIBYTE);
    memory.put(first);
    const next = memory.take(2 * MEBIBYTE);
    assert.equal(next.length, 2 * MEBIBYTE);
    assert.equal(next.buffer, first.buffer);
    assert.notEqual(memory.take(2 * MEBIBYTE).buffer, next.buffer, "a buffer in use is not reused");
  });

  it("are at most twice as long as requested", () => {
    const memory = new BufferPool();
    memory.put(memory.take(3 * MEBIBYTE));
    assert.equal(memory.take(MEBIBYTE).buffer.byteLength, MEBIBYTE);
  });

  it("are pooled up to 64 MiB, the latest ones", () => {
    const memory = new BufferPool();
    const bodies = [20, 24, 28, 30].map((mebibytes) => memory.take(mebibytes * MEBIBYTE));
    for (const body of bodies) memory.put(body);
    const lengths = [20, 20, 20].map((mebibytes) => memory.take(mebibytes * MEBIBYTE).buffer.byteLength / MEBIBYTE);
    assert.deepEqual(lengths, [28, 30, 20]);
  });

  it("are freed once no body arrives for a while", (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const memory = new BufferPool();
    memory.put(memory.take(2 * MEBIBYTE));
    t.mock.timers.tick(9_999);
    memory.put(memory.take(MEBIBYTE));
    t.mock.timers.tick(9_999);
    memory.put(memory.take(MEBIBYTE));
    t.mock.timers.tick(10_000);
    assert.equal(memory.take(MEBIBYTE).buffer.byteLength, MEBIBYTE);
  });
});
