import assert from "node:assert/strict";
import { afterEach, it } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { OpenDatabase } from "@one-api/database/open-database";
import { openTestDatabase } from "@one-api/database/test-databases";
import type { FailureLog, RepeatedWork } from "../core/work/repeat-work.ts";
import { randomLogs } from "../features/logs/groups/testing/known-logs.ts";
import { keepInThread, startLogSumsThread } from "./log-sums-in-thread.ts";

const quiet: FailureLog = { error: () => undefined };
const opened: { database: OpenDatabase; work: Pick<RepeatedWork, "stop"> }[] = [];

afterEach(async () => {
  for (const { database, work } of opened.splice(0)) {
    await work.stop();
    await database.close();
  }
});

async function start(log: FailureLog, startThread = startLogSumsThread) {
  const database = await openTestDatabase("sqlite");
  const { sqliteFile } = database;
  assert.ok(sqliteFile !== undefined);
  await new Promise<void>((resolve) => {
    const started: typeof startLogSumsThread = (file) => {
      resolve();
      return startThread(file);
    };
    opened.push({ database, work: keepInThread(sqliteFile, log, started, 0) });
  });
  const work = opened.at(-1)?.work ?? assert.fail("nothing was started");
  return { database, work };
}

const write = ({ db }: OpenDatabase, key: string) => db.insertInto("options").values({ key, value: "" }).execute();

it("groups the log while the process itself writes to the same file", async () => {
  const failures: unknown[] = [];
  const { database, work } = await start({ error: ({ err }) => failures.push(err) });
  await database.db.insertInto("logs").values(randomLogs(1_500, 1)).execute();
  await database.db.insertInto("logs").values(randomLogs(1_500, 2)).execute();
  let batches = 0;
  for (let round = 0; batches === 0; round += 1) {
    await write(database, `key-${round}`);
    await wait(10);
    batches = (await database.db.selectFrom("log_batches").select("batch").execute()).length;
  }
  await work.stop();
  assert.deepEqual(failures, []);
});

it("goes on writing when the thread dies in its turn, and tells that it died", async () => {
  const dying = `const { parentPort } = require("node:worker_threads");
    parentPort.on("message", () => { throw new Error("died in its turn"); });
    parentPort.postMessage({ kind: "take-turn" });`;
  // It is started anew while the test looks, and is stopped at its end.
  const next = `require("node:worker_threads").parentPort.once("message", () => {});`;
  const told: string[] = [];
  const threads: Worker[] = [];
  const log: FailureLog = { error: ({ err }) => told.push(String(err)) };
  const { database } = await start(log, () => {
    const thread = new Worker(threads.length === 0 ? dying : next, { eval: true });
    threads.push(thread);
    return thread;
  });
  await new Promise((resolve) => threads[0]?.once("exit", resolve));
  await write(database, "after");
  assert.deepEqual(told, ["Error: died in its turn"]);
});

it("tells what fails in the thread", async () => {
  const nowhere = await new Promise<string>((resolve) => {
    const log: FailureLog = { error: ({ err }) => resolve(String(err)) };
    void start(log, () => startLogSumsThread("/nowhere/one-api.db"));
  });
  assert.match(nowhere, /cannot be made/);
});

it("is stopped before its thread has started, which then never does", async () => {
  const database = await openTestDatabase("sqlite");
  assert.ok(database.sqliteFile !== undefined);
  let starts = 0;
  const work = keepInThread(database.sqliteFile, quiet, (file) => ((starts += 1), startLogSumsThread(file)), 1);
  opened.push({ database, work });
  await work.stop();
  await wait(20);
  assert.equal(starts, 0);
});

it("waits for its end when it is stopped", async () => {
  let thread: Worker | undefined;
  const { work } = await start(quiet, (file) => (thread = startLogSumsThread(file)));
  let hasEnded = false;
  thread?.once("exit", () => (hasEnded = true));
  await work.stop();
  assert.equal(hasEnded, true);
});
