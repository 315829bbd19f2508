import assert from "node:assert/strict";
import { once } from "node:events";
import type { Socket } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { WebSocket, WebSocketServer } from "ws";
import { waitUntil } from "@one-api/database/testing/wait-until";
import { MemoryBudget } from "../../platform/memory/memory-budget.ts";
import { MessagePipe } from "./message-pipe.ts";

const STALL_MS = 60_000;

/** Both sides of a WebSocket. */
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

/** A pipe between a caller and a provider, with a clock that the test advances. */
async function pipe(t: TestContext, memory = new MemoryBudget(1024 * 1024)) {
  const [caller, provider] = [await connectPair(t), await connectPair(t)];
  const time = { nowMs: 1_000 };
  const got: string[] = [];
  provider.far.on("message", (bytes: Buffer) => got.push(bytes.toString()));
  const seen = { stalled: 0 };
  const made = new MessagePipe({
    from: caller.end,
    to: provider.end,
    memory,
    userId: 1,
    controlFrameBytes: 6,
    nowMs: () => time.nowMs,
    transform: ({ bytes }) => bytes,
    failed: (error) => assert.fail(String(error)),
    stalled: () => (seen.stalled += 1),
  });
  made.start();
  t.after(() => made.stop());
  return { caller: caller.far, slow: provider.end.socket, made, time, got, seen, memory };
}

describe("a pipe of messages", () => {
  it("claims no memory for forwarded messages, and for a partial message what was received", async (t) => {
    const { caller, memory, got } = await pipe(t);
    caller.send("a".repeat(1_000));
    await waitUntil(async () => got.length === 1 && memory.taken === 0);
    caller.send("a".repeat(1_000), { fin: false });
    await waitUntil(async () => memory.taken > 1_000);
    caller.send("b", { fin: true });
    await waitUntil(async () => got.length === 2 && memory.taken === 0);
  });

  it("is stalled by a message that arrives byte by byte", async (t) => {
    const { caller, made, time, memory } = await pipe(t);
    caller.send("a".repeat(100_000), { fin: false });
    await waitUntil(async () => memory.taken >= 100_000);
    for (let count = 1; count <= 7; count += 1) {
      time.nowMs += 10_000;
      caller.send("a", { fin: false });
      await waitUntil(async () => made.receivedMs === time.nowMs);
    }
    assert.equal(made.isStalled(time.nowMs, STALL_MS), true);
  });

  it("is stalled by an endless message at any speed", async (t) => {
    const { caller, made, time } = await pipe(t);
    const stalled: boolean[] = [];
    for (let count = 1; count <= 16; count += 1) {
      time.nowMs += 20_000;
      caller.send("a".repeat(40_000), { fin: false });
      await waitUntil(async () => made.receivedMs === time.nowMs);
      stalled.push(made.isStalled(time.nowMs, STALL_MS));
    }
    assert.deepEqual(stalled, [...Array.from({ length: 15 }, () => false), true]);
  });

  for (const [readBytes, isStalled] of [
    [1_000, true],
    [20_000, false],
  ] as const) {
    it(`is ${isStalled ? "" : "not "}stalled if the other side reads ${readBytes} bytes in ten seconds`, async (t) => {
      const { caller, slow, made, time, got } = await pipe(t);
      let leftBytes = 200_000;
      Object.defineProperty(slow, "bufferedAmount", { get: () => leftBytes });
      caller.send("a".repeat(200_000));
      await waitUntil(async () => got.length === 1);
      for (let count = 1; count <= 7; count += 1) {
        time.nowMs += 10_000;
        leftBytes -= readBytes;
        if (count < 6) assert.equal(made.isStalled(time.nowMs, STALL_MS), false);
      }
      assert.equal(made.isStalled(time.nowMs, STALL_MS), isStalled);
    });
  }

  it("is not stalled between messages, with pings", async (t) => {
    const { caller, made, time, got, memory } = await pipe(t);
    caller.send("whole");
    await waitUntil(async () => got.length === 1);
    for (let count = 1; count <= 20; count += 1) {
      time.nowMs += 20_000;
      const answered = once(caller, "pong");
      caller.ping("p".repeat(count));
      await answered;
      assert.equal(made.isStalled(time.nowMs, STALL_MS), false);
    }
    assert.equal(memory.taken, 0);
  });

  it("does not count a ping within a message", async (t) => {
    const { caller, memory } = await pipe(t);
    caller.send("a".repeat(1_000), { fin: false });
    await waitUntil(async () => memory.taken > 1_000);
    const before = memory.taken;
    const answered = once(caller, "pong");
    caller.ping("p".repeat(100));
    await answered;
    assert.equal(memory.taken, before);
  });

  it("is stalled if a message waits for memory too long, and releases its claim when it stops", async (t) => {
    const memory = new MemoryBudget(100_000);
    const [filled, excess] = [1, 2].map((userId) =>
      memory.claim({ userId, resume: () => undefined, stalledMs: () => 0, abort: () => undefined }),
    );
    filled?.take(50_000);
    excess?.take(200_000);
    const { caller, made, time } = await pipe(t, memory);
    caller.send("a".repeat(90_000), { fin: false });
    await waitUntil(async () => memory.taken > 280_000);
    time.nowMs += STALL_MS;
    assert.equal(made.isStalled(time.nowMs, STALL_MS), true);
    made.stop();
    assert.equal(memory.taken, 250_000);
  });

  it("is ended if it is stalled while another account waits for memory", async (t) => {
    const { caller, time, seen, memory } = await pipe(t, new MemoryBudget(200_000));
    caller.send("a".repeat(150_000), { fin: false });
    await waitUntil(async () => memory.taken >= 150_000);
    const [first, waits] = [2, 3].map((userId) =>
      memory.claim({ userId, resume: () => undefined, stalledMs: () => 0, abort: () => undefined }),
    );
    first?.take(100_000);
    assert.equal(waits?.take(60_000), false);
    time.nowMs += 2_000;
    await waitUntil(async () => seen.stalled > 0);
  });
});
