import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { beforeEach, describe, it } from "node:test";
import type { CallerResponse } from "@one-api/http1/server/caller-exchange";
import { ReplyWriter } from "./reply-writer.ts";

const PIECE = Buffer.alloc(64 * 1024);

/** A caller of whom a test says when it takes something. */
class SlowCaller extends EventEmitter implements CallerResponse {
  readonly headersSent = true;
  readonly destroyed = false;
  writableEnded = false;
  writableLength = 0;
  write(piece: Buffer | string): boolean {
    this.writableLength += piece.length;
    return false;
  }
  end(piece?: Buffer | string): void {
    this.writableLength += piece?.length ?? 0;
    this.writableEnded = true;
  }
  takesAll(): void {
    this.writableLength = 0;
    this.emit("drain");
  }
  writeHead(): void {}
  writeProcessing(): void {}
  destroy(): void {}
}

describe("how long a caller has taken nothing", () => {
  let nowMs: number;
  let caller: SlowCaller;
  let writer: ReplyWriter;
  const send = () => writer.write(PIECE, () => undefined);
  beforeEach(() => {
    nowMs = 5_000;
    caller = new SlowCaller();
    writer = new ReplyWriter(caller, { nowMs: () => nowMs, monotonicMs: () => nowMs });
  });

  it("counts from the piece that it did not take, and not while it takes", () => {
    assert.equal(writer.stalledMs(nowMs), 0);
    send();
    assert.equal(writer.stalledMs(nowMs + 700), 700);
    caller.takesAll();
    assert.equal(writer.stalledMs(nowMs + 700), 0);
  });

  it("goes on where the system took a piece now and then for one who reads nothing", () => {
    send();
    nowMs += 50_000;
    caller.takesAll();
    send();
    nowMs += 10_000;
    assert.equal(writer.stalledMs(nowMs), 60_000);
  });

  it("begins anew with each 128 KiB that a slow one takes", () => {
    for (let piece = 0; piece < 10; piece += 1) {
      send();
      nowMs += 20_000;
      assert.ok(writer.stalledMs(nowMs) <= 40_000);
      caller.takesAll();
    }
  });

  it("begins anew for one who kept up in between", () => {
    send();
    nowMs += 50_000;
    caller.takesAll();
    nowMs += 1_000;
    send();
    assert.equal(writer.stalledMs(nowMs + 300), 300);
  });

  it("counts at the end of an answer, too", () => {
    writer.end(Buffer.alloc(200_000));
    assert.equal(writer.stalledMs(nowMs + 400), 400);
    for (let slice = 0; slice < 3; slice += 1) caller.takesAll();
    assert.deepEqual([caller.writableEnded, writer.stalledMs(nowMs + 400)], [true, 400]);
  });
});
