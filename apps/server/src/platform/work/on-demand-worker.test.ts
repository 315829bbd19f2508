import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, it, type TestContext } from "node:test";
import { Worker } from "node:worker_threads";
import { OnDemandWorker } from "./on-demand-worker.ts";

const ECHO = `
  const { parentPort } = require("node:worker_threads");
  parentPort.on("message", ({ end, bytes }) => end ? process.exit() : parentPort.postMessage(bytes.length));
`;

const IDLE_MS = 60_000;

function startEcho(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const workers: Worker[] = [];
  const messages: number[] = [];
  let exits = 0;
  const thread = new OnDemandWorker<number>({
    start() {
      const worker = new Worker(ECHO, { eval: true });
      workers.push(worker);
      return worker;
    },
    idleMs: IDLE_MS,
    onMessage: (length) => void messages.push(length),
    onExit: () => void (exits += 1),
  });
  const post = (length: number, end = false) => {
    const bytes = new Uint8Array(length);
    thread.post({ bytes, end }, bytes.buffer);
  };
  return { thread, workers, messages, post, exits: () => exits };
}

describe("an on-demand worker", () => {
  it("starts with the first task, runs more, and ends when idle", async (t) => {
    const { thread, workers, messages, post, exits } = startEcho(t);
    assert.equal(workers.length, 0);
    post(3);
    post(4);
    await untilTrue(() => messages.length === 2);
    assert.deepEqual([messages, workers.length], [[3, 4], 1]);
    thread.idle();
    t.mock.timers.tick(IDLE_MS);
    const [first] = workers;
    assert.ok(first !== undefined);
    await once(first, "exit");
    post(5);
    await untilTrue(() => messages.length === 3);
    assert.deepEqual([workers.length, exits()], [2, 0]);
    thread.stop();
  });

  it("stays for a task in time", async (t) => {
    const { thread, workers, messages, post } = startEcho(t);
    post(1);
    thread.idle();
    t.mock.timers.tick(IDLE_MS - 1);
    post(2);
    t.mock.timers.tick(IDLE_MS);
    post(3);
    await untilTrue(() => messages.length === 3);
    assert.equal(workers.length, 1);
    thread.stop();
  });

  it("reports its own exit, and nothing of a stopped thread", async (t) => {
    const { thread, workers, messages, post, exits } = startEcho(t);
    post(1, true);
    await untilTrue(() => exits() === 1);
    post(2);
    thread.stop();
    const [, stopped] = workers;
    assert.ok(stopped !== undefined);
    await once(stopped, "exit");
    assert.deepEqual([messages, exits()], [[], 1]);
  });
});

/** Yields to the event loop: the timers are mocked. */
async function untilTrue(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}
