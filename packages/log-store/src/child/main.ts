import { setPriority } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { connectDatabaseToRead } from "@one-api/database/connect-database";
import { LogEngine } from "../engine.ts";
import type { LogStoreStatus } from "../log-store.ts";
import { MissingEngineError, remedyOf } from "../replica/failures.ts";
import { LogSource } from "../source/log-source.ts";
import type { ChildStart, FromChild, ToChild } from "./messages.ts";
import { QuestionQueue } from "./question-queue.ts";

// The process that has the replica: it follows the database and answers questions of the process that started it.

/** Niceness: relayed requests come first. */
const PRIORITY = 10;

/** Pause between two reads of new entries, in ms. A question reads at once. */
const POLL_MS = { sqlite: 500, postgres: 250 } as const;
const STALLED_MS = 10_000;
/** Interval of reports in which only `behind` changed, in ms. */
const STATUS_MS = 5_000;

/** Longest wait for the file's lock, which the previous process may still have, in ms. */
const LOCK_WAIT_MS = 5_000;
const LOCK_PAUSE_MS = 100;

const send = (message: FromChild): void => void process.send?.(message);

/** Sends a last message, and ends the process once it is sent. */
const end = (message: FromChild): void => void process.send?.(message, () => process.exit(1));

// A query runs in a thread that an exit would wait for.
process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));
// The server ends this process, also if a terminal or a service manager signals all processes.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
const early: ToChild[] = [];
let receive = (message: ToChild): void => void early.push(message);
process.on("message", (message: ToChild) => {
  if (message.kind === "start") run(message.start).catch(endWith);
  else receive(message);
});

async function run({ file, location, settings }: ChildStart): Promise<void> {
  setPriority(PRIORITY);
  // The file has names of users and tokens, so only its owner may read it.
  process.umask(0o077);
  const database = await connectDatabaseToRead(location);
  const engine = await openWhenUnlocked(() => LogEngine.open(file, new LogSource(database), settings));
  const queue = new QuestionQueue(engine, send, (error) => {
    if (remedyOf(error) !== "retry") endWith(error);
  });
  receive = (message) => {
    if (message.kind === "ask") queue.ask(message.id, message.question);
    else if (message.kind === "cancel") queue.cancel(message.id);
  };
  send({ kind: "ready" });
  for (const message of early.splice(0)) receive(message);
  await follow(engine, POLL_MS[database.kind]);
}

/** Reads new entries as long as the process runs. */
async function follow(engine: LogEngine, pollMs: number): Promise<never> {
  let told: LogStoreStatus | undefined;
  let toldMs = 0;
  for (;;) {
    let pauseMs = 0;
    try {
      if (await engine.step()) pauseMs = pollMs;
    } catch (error) {
      if (remedyOf(error) !== "retry") throw error;
      send({ kind: "stalled", message: messageOf(error) });
      pauseMs = STALLED_MS;
    }
    const status = engine.status();
    const nowMs = performance.now();
    const isOld = told !== undefined && status.behind !== told.behind && nowMs - toldMs >= STATUS_MS;
    if (
      isOld ||
      told === undefined ||
      status.state !== told.state ||
      Math.abs(status.progress - told.progress) >= 0.01
    ) {
      [told, toldMs] = [status, nowMs];
      send({ kind: "status", status });
    }
    await wait(pauseMs);
  }
}

async function openWhenUnlocked(open: () => Promise<LogEngine>): Promise<LogEngine> {
  for (let waitedMs = 0; ; waitedMs += LOCK_PAUSE_MS) {
    try {
      return await open();
    } catch (error) {
      if (waitedMs >= LOCK_WAIT_MS || !/could not set lock/i.test(messageOf(error))) throw error;
      await wait(LOCK_PAUSE_MS);
    }
  }
}

function endWith(error: unknown): void {
  const message = messageOf(error);
  if (error instanceof MissingEngineError) end({ kind: "unavailable", message });
  else if (remedyOf(error) === "delete") end({ kind: "damaged", message });
  else end({ kind: "stalled", message });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
