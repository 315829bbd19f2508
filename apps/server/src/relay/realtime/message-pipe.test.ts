import assert from "node:assert/strict";
import { once } from "node:events";
import type { Socket } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { WebSocket, WebSocketServer } from "ws";
import { waitUntil } from "../../testing/wait-until.ts";
import { MemoryBudget } from "../../platform/memory/memory-budget.ts";
import { MessagePipe } from "./message-pipe.ts";

const STALL_MS = 60_000;

/** Both sides of a WebSocket of its own. */
async function connectPair(t: TestContext) {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object");
  const taken = new Promise<{ socket: WebSocket; connection: Socket }>((resolve) => {
    server.once("connection", (socket, { socket: connection }) => resolve({ socket, connection }));
  });
  const far = new WebSocket(`ws://127.0.0.1:${address?.port}`);
  await once(far, "open");
  t.after(() => {
    far.terminate();
    server.close();
  });
  return { far, end: await taken };
}

/** A pipe between a caller and a provider, whose time passes when it is told to. */
async function pipe(t: TestContext, room = new MemoryBudget(1024 * 1024)) {
  const [caller, provider] = [await connectPair(t), await connectPair(t)];
  const time = { nowMs: 1_000 };
  const got: string[] = [];
  provider.far.on("message", (bytes: Buffer) => got.push(bytes.toString()));
  const seen = { stalled: 0 };
  const made = new MessagePipe({
    from: caller.end,
    to: provider.end,
    room,
    userId: 1,
    controlFrameBytes: 6,
    nowMs: () => time.nowMs,
    look: ({ bytes }) => bytes,
    failed: (error) => assert.fail(String(error)),
    stalled: () => (seen.stalled += 1),
  });
  made.start();
  t.after(() => made.stop());
  return { caller: caller.far, slow: provider.end.socket, made, time, got, seen, room };
}

describe("a pipe of messages", () => {
  it("holds nothing of what has passed, and of a message that has begun what came of it", async (t) => {
    const { caller, room, got } = await pipe(t);
    caller.send("a".repeat(1_000));
    await waitUntil(async () => got.length === 1 && room.taken === 0);
    caller.send("a".repeat(1_000), { fin: false });
    await waitUntil(async () => room.taken > 1_000);
    caller.send("b", { fin: true });
    await waitUntil(async () => got.length === 2 && room.taken === 0);
  });

  it("is stalled in the middle of a message that comes byte by byte", async (t) => {
    const { caller, made, time, room } = await pipe(t);
    caller.send("a".repeat(100_000), { fin: false });
    await waitUntil(async () => room.taken >= 100_000);
    for (let count = 1; count <= 7; count += 1) {
      time.nowMs += 10_000;
      caller.send("a", { fin: false });
      await waitUntil(async () => made.heardMs === time.nowMs);
    }
    assert.equal(made.isStalled(time.nowMs, STALL_MS), true);
  });

  it("is stalled where a message does not end, at whatever speed it comes", async (t) => {
    const { caller, made, time } = await pipe(t);
    const stalled: boolean[] = [];
    for (let count = 1; count <= 16; count += 1) {
      time.nowMs += 20_000;
      caller.send("a".repeat(40_000), { fin: false });
      await waitUntil(async () => made.heardMs === time.nowMs);
      stalled.push(made.isStalled(time.nowMs, STALL_MS));
    }
    assert.deepEqual(stalled, [...Array.from({ length: 15 }, () => false), true]);
  });

  for (const [step, isStalled] of [
    [1_000, true],
    [20_000, false],
  ] as const) {
    it(`is ${isStalled ? "" : "not "}stalled where the other end takes ${step} bytes in ten seconds`, async (t) => {
      const { caller, slow, made, time, got } = await pipe(t);
      let leftBytes = 200_000;
      Object.defineProperty(slow, "bufferedAmount", { get: () => leftBytes });
      caller.send("a".repeat(200_000));
      await waitUntil(async () => got.length === 1);
      for (let count = 1; count <= 7; count += 1) {
        time.nowMs += 10_000;
        leftBytes -= step;
        if (count < 6) assert.equal(made.isStalled(time.nowMs, STALL_MS), false);
      }
      assert.equal(made.isStalled(time.nowMs, STALL_MS), isStalled);
    });
  }

  it("is not stalled between messages, whatever pings come", async (t) => {
    const { caller, made, time, got, room } = await pipe(t);
    caller.send("whole");
    await waitUntil(async () => got.length === 1);
    for (let count = 1; count <= 20; count += 1) {
      time.nowMs += 20_000;
      const answered = once(caller, "pong");
      caller.ping("p".repeat(count));
      await answered;
      assert.equal(made.isStalled(time.nowMs, STALL_MS), false);
    }
    assert.equal(room.taken, 0);
  });

  it("counts a ping for no part of the message in which it comes", async (t) => {
    const { caller, room } = await pipe(t);
    caller.send("a".repeat(1_000), { fin: false });
    await waitUntil(async () => room.taken > 1_000);
    const before = room.taken;
    const answered = once(caller, "pong");
    caller.ping("p".repeat(100));
    await answered;
    assert.equal(room.taken, before);
  });

  it("is stalled where a message waits for room too long, and gives all of it back when it stops", async (t) => {
    const room = new MemoryBudget(100_000);
    const [filled, beside] = [1, 2].map((userId) =>
      room.claim({ userId, resume: () => undefined, stalledMs: () => 0, abort: () => undefined }),
    );
    filled?.take(50_000);
    beside?.take(200_000);
    const { caller, made, time } = await pipe(t, room);
    caller.send("a".repeat(90_000), { fin: false });
    await waitUntil(async () => room.taken > 280_000);
    time.nowMs += STALL_MS;
    assert.equal(made.isStalled(time.nowMs, STALL_MS), true);
    made.stop();
    assert.equal(room.taken, 250_000);
  });

  it("is ended where it is stalled and another account waits for the room", async (t) => {
    const { caller, time, seen, room } = await pipe(t, new MemoryBudget(200_000));
    caller.send("a".repeat(150_000), { fin: false });
    await waitUntil(async () => room.taken >= 150_000);
    const [first, waits] = [2, 3].map((userId) =>
      room.claim({ userId, resume: () => undefined, stalledMs: () => 0, abort: () => undefined }),
    );
    first?.take(100_000);
    assert.equal(waits?.take(60_000), false);
    time.nowMs += 2_000;
    await waitUntil(async () => seen.stalled > 0);
  });
});
