import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, it } from "node:test";
import { Worker } from "node:worker_threads";
import { waitUntil } from "../../testing/wait-until.ts";
import { RestingThread } from "./resting-thread.ts";

const ECHO = `
  const { parentPort } = require("node:worker_threads");
  parentPort.on("message", ({ end, bytes }) => end ? process.exit() : parentPort.postMessage(bytes.length));
`;

function startEcho(idleMs = 60_000) {
  const workers: Worker[] = [];
  const heard: number[] = [];
  let deaths = 0;
  const thread = new RestingThread<number>({
    start() {
      const worker = new Worker(ECHO, { eval: true });
      workers.push(worker);
      return worker;
    },
    idleMs,
    heard: (length) => void heard.push(length),
    died: () => void (deaths += 1),
  });
  const give = (length: number, end = false) => {
    const bytes = new Uint8Array(length);
    thread.give({ bytes, end }, bytes.buffer);
  };
  return { thread, workers, heard, give, deaths: () => deaths };
}

describe("a thread that rests without work", () => {
  it("starts with the first task, takes more, and ends after a while without", async () => {
    const { thread, workers, heard, give, deaths } = startEcho(20);
    assert.equal(workers.length, 0);
    give(3);
    give(4);
    await waitUntil(() => Promise.resolve(heard.length === 2));
    assert.deepEqual([heard, workers.length], [[3, 4], 1]);
    thread.rest();
    const [first] = workers;
    assert.ok(first !== undefined);
    await once(first, "exit");
    give(5);
    await waitUntil(() => Promise.resolve(heard.length === 3));
    assert.deepEqual([workers.length, deaths()], [2, 0]);
    thread.stop();
  });

  it("goes on where there is work again in time", async () => {
    const { thread, workers, heard, give } = startEcho(500);
    give(1);
    thread.rest();
    give(2);
    await new Promise((resolve) => setTimeout(resolve, 700));
    give(3);
    await waitUntil(() => Promise.resolve(heard.length === 3));
    assert.equal(workers.length, 1);
    thread.stop();
  });

  it("says when it dies by itself, and nothing of one that was stopped", async () => {
    const { thread, workers, heard, give, deaths } = startEcho();
    give(1, true);
    await waitUntil(() => Promise.resolve(deaths() === 1));
    give(2);
    thread.stop();
    const [, stopped] = workers;
    assert.ok(stopped !== undefined);
    await once(stopped, "exit");
    assert.deepEqual([heard, deaths()], [[], 1]);
  });
});
