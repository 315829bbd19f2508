import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BodyMemory, freePiece } from "./body-memory.ts";

const MEBIBYTE = 1024 * 1024;

describe("memory of long bodies", () => {
  it("is used again for the next body of about that length", () => {
    const memory = new BodyMemory();
    const first = memory.take(3 * MEBIBYTE);
    memory.giveBack(first);
    const next = memory.take(2 * MEBIBYTE);
    assert.equal(next.length, 2 * MEBIBYTE);
    assert.equal(next.buffer, first.buffer);
    assert.notEqual(memory.take(2 * MEBIBYTE).buffer, first.buffer, "one that is in use belongs to nobody else");
  });

  it("is never longer than twice what is asked for", () => {
    const memory = new BodyMemory();
    memory.giveBack(memory.take(3 * MEBIBYTE));
    assert.equal(memory.take(MEBIBYTE).buffer.byteLength, MEBIBYTE);
  });

  it("is kept of one body, the longest", () => {
    const memory = new BodyMemory();
    const [short, long, shorter] = [memory.take(2 * MEBIBYTE), memory.take(3 * MEBIBYTE), memory.take(MEBIBYTE)];
    for (const bytes of [short, long, shorter]) memory.giveBack(bytes);
    assert.deepEqual([short.length, long.length, shorter.length], [0, 3 * MEBIBYTE, 0]);
  });

  it("is forgotten when no body comes for a while", (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const memory = new BodyMemory();
    const bytes = memory.take(MEBIBYTE);
    memory.giveBack(bytes);
    t.mock.timers.tick(10_000);
    assert.equal(bytes.length, 0);
    const next = memory.take(MEBIBYTE);
    memory.giveBack(next);
    t.mock.timers.tick(10_000);
    assert.equal(next.length, 0);
  });
});

it("gives back the memory of a whole piece, and of no part", () => {
  const whole = Buffer.allocUnsafeSlow(8);
  freePiece(whole);
  assert.equal(whole.length, 0);
  const part = Buffer.allocUnsafeSlow(8).subarray(0, 4);
  freePiece(part);
  assert.equal(part.length, 4);
});
