import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ProviderFailedError } from "../failure.ts";
import type { ProviderIo, ProviderReply } from "../provider-io.ts";
import { silentIo } from "../testing/silent-io.ts";
import { awaitTask, MOST_TASK_MS, type ProviderTask } from "./await-task.ts";

const state = (status: string): ProviderReply => ({ status: 200, headers: {}, text: JSON.stringify({ status }) });
const refusal = (status: number): ProviderReply => ({ status, headers: {}, text: "" });

/** Task with these replies, the last one repeated, on a clock that each wait advances. */
function taskOf(replies: readonly (ProviderReply | Error)[]) {
  const seen = { looks: 0, cancelled: 0, nowMs: 0 };
  const task: ProviderTask = {
    address: { url: "https://provider.example/tasks/1", headers: {} },
    isRunning: ({ status }) => status === "running",
    cancel: () => Promise.resolve((seen.cancelled += 1)),
  };
  const io: ProviderIo = {
    ...silentIo,
    nowMs: () => seen.nowMs,
    wait: (ms) => Promise.resolve(void (seen.nowMs += ms)),
    ask() {
      const reply = replies[Math.min(seen.looks, replies.length - 1)];
      seen.looks += 1;
      if (reply === undefined) return Promise.reject(new Error("Nobody answers."));
      return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply);
    },
  };
  return { task, io, seen };
}

const failsAs = (kind: string) => (error: unknown) =>
  error instanceof ProviderFailedError && error.failure.kind === kind;

describe("a task at a provider", () => {
  it("is polled until it ends, through short failures", async () => {
    const broken = [new Error("reset"), refusal(500), refusal(429)];
    const { task, io, seen } = taskOf([state("running"), ...broken, state("running"), state("done")]);
    const call = await awaitTask(task, io);
    assert.deepEqual([call.method, call.address.url], ["GET", task.address.url]);
    assert.deepEqual([seen.looks, seen.cancelled], [6, 0]);
  });

  it("ends when refused; the answer has the reason", async () => {
    const { task, io, seen } = taskOf([refusal(404)]);
    await awaitTask(task, io);
    assert.equal(seen.looks, 1);
  });

  it("is cancelled when it takes too long", async () => {
    const { task, io, seen } = taskOf([state("running")]);
    await assert.rejects(awaitTask(task, io), failsAs("timeout"));
    assert.equal(seen.cancelled, 1);
    assert.ok(seen.nowMs > MOST_TASK_MS && seen.nowMs < MOST_TASK_MS + 5_000, String(seen.nowMs));
  });

  it("is cancelled after a disconnect, and after failed polls", async () => {
    const left = taskOf([state("running")]);
    await assert.rejects(
      awaitTask(left.task, left.io, {
        get isWaiting() {
          return left.seen.looks < 3;
        },
      }),
      failsAs("timeout"),
    );
    assert.deepEqual([left.seen.looks, left.seen.cancelled], [3, 1]);
    const silent = taskOf([refusal(503)]);
    await assert.rejects(awaitTask(silent.task, silent.io), failsAs("connection"));
    assert.deepEqual([silent.seen.looks, silent.seen.cancelled], [6, 1]);
  });
});
