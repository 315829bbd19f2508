import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { connectDatabase } from "@one-api/database/connect-database";
import { migrate } from "@one-api/database/migrate";
import { createPostgresDatabase } from "@one-api/database/testing/postgres-test-server";
import type { LogStore } from "@one-api/log-store/log-store";
import { removeReplica } from "@one-api/log-store/replica/failures";
import { startLogStore } from "@one-api/log-store/start-log-store";
import { findLogStoreProcess, forgetFile, readCpuMs, readMemory, resetPeak } from "./child-process.ts";
import { addRows, fillLog } from "./fill-log.ts";
import { measureConsole } from "./measure-console.ts";
import { listQuestions } from "./log-questions.ts";

// Cost of the log store, on a log of so many entries: node bench/src/log/main.ts --rows 10000000 --database postgres
const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "1000000" },
    users: { type: "string", default: "10000" },
    channels: { type: "string", default: "1000" },
    days: { type: "string", default: "30" },
    database: { type: "string", default: "sqlite" },
    /** Stores the filled database and the replica there, and uses the database again. */
    folder: { type: "string", default: "" },
    url: { type: "string", default: "" },
    memory: { type: "string", default: "128" },
    console: { type: "boolean", default: false },
  },
});
const DAY = 86_400;
const FROM = 1_790_000_000;
const TIMES = 9;
const SHAPE = {
  rows: Number(values.rows),
  users: Number(values.users),
  channels: Number(values.channels),
  from: FROM,
  seconds: Number(values.days) * DAY,
};
const FOLLOWED_PER_SECOND = 2_000;
const FOLLOWED_SECONDS = 20;

const folder = values.folder === "" ? mkdtempSync(join(tmpdir(), "one-api-bench-")) : values.folder;
mkdirSync(folder, { recursive: true });
const file = join(folder, "log-store.duckdb");
const databaseUrl =
  values.database !== "postgres" ? "" : values.url === "" ? await createPostgresDatabase() : values.url;
const database = await connectDatabase({ dataDirectory: folder, databaseUrl });
try {
  await migrate(database);
  await measureEmpty();
  const isEmpty = (await database.db.selectFrom("logs").select("id").limit(1).executeTakeFirst()) === undefined;
  if (isEmpty) await fillLog(database, SHAPE, (rows) => rows % 1_000_000 === 0 && print(`${rows} entries`));
  await measureRebuild();
  await measureQuestions();
  await measureFirstLooks();
  await measureFollowing();
  if (values.console) await measureConsole(database, SHAPE, measureCall);
} finally {
  await database.close();
  if (values.folder === "") rmSync(folder, { recursive: true, force: true });
}

function start(): LogStore {
  return startLogStore({
    start: {
      file,
      location: { databaseUrl, dataDirectory: folder },
      settings: { memoryMegabytes: Number(values.memory), threads: 1 },
    },
    log: { warn: printProblem, error: printProblem },
    startAfterMs: 0,
  });
}

/** The memory of a process whose log is empty; nothing where the log is filled already. */
async function measureEmpty(): Promise<void> {
  const entry = await database.db.selectFrom("logs").select("id").limit(1).executeTakeFirst();
  removeFile();
  if (entry !== undefined) return;
  const store = start();
  await untilComplete(store);
  print(`empty log: memory ${readMemory(findLogStoreProcess()).peak.toFixed(0)} MB`);
  await store.close();
}

async function measureRebuild(): Promise<void> {
  removeFile();
  const started = performance.now();
  const store = start();
  // A process that has answered a question stays running.
  await store.ask({ kind: "old-entries", before: 0 });
  const pid = findLogStoreProcess();
  await until(async () => (await store.status()).state === "following");
  const seconds = (performance.now() - started) / 1_000;
  const cpu = readCpuMs(pid);
  const { now, peak } = readMemory(pid);
  await untilComplete(store);
  print(
    `rebuild: ${seconds.toFixed(1)} s, CPU ${(cpu / 1_000).toFixed(1)} s = ${((cpu * 1_000) / SHAPE.rows).toFixed(2)} µs per entry; ` +
      `memory ${now.toFixed(0)} MB, peak ${peak.toFixed(0)} MB; file ${fileMegabytes()} MB`,
  );
  await store.close();
}

async function measureQuestions(): Promise<void> {
  const store = start();
  await untilComplete(store);
  const pid = findLogStoreProcess();
  resetPeak(pid);
  print(`${"question".padEnd(42)}    CPU   wall    bar`);
  for (const { name, bar, question } of listQuestions(SHAPE)) {
    const [cpu, wall]: [number[], number[]] = [[], []];
    await store.ask(question(TIMES));
    for (let index = 0; index < TIMES; index += 1) {
      const [before, startedMs] = [readCpuMs(pid), performance.now()];
      await store.ask(question(index));
      wall.push(performance.now() - startedMs);
      cpu.push(readCpuMs(pid) - before);
    }
    const figures = [median(cpu), median(wall), bar].map((ms) => ms.toFixed(0).padStart(6)).join(" ");
    print(`${name.padEnd(42)} ${figures}${median(cpu) > bar ? "  missed" : ""}`);
  }
  print(`memory after all questions: ${readMemory(pid).now.toFixed(0)} MB, peak ${readMemory(pid).peak.toFixed(0)} MB`);
  await store.close();
}

/** Each is the first question of a process, and the file is not in the system's cache. */
async function measureFirstLooks(): Promise<void> {
  for (const { name, bar, question } of listQuestions(SHAPE).filter(({ isFirstLook }) => isFirstLook === true)) {
    forgetFile(file);
    const store = start();
    await untilComplete(store);
    const [before, startedMs] = [readCpuMs(findLogStoreProcess()), performance.now()];
    await store.ask(question(0));
    const wall = performance.now() - startedMs;
    const cpu = readCpuMs(findLogStoreProcess()) - before;
    print(`first look: ${name.padEnd(30)} ${[cpu, wall, 2 * bar].map((ms) => ms.toFixed(0).padStart(6)).join(" ")}`);
    await store.close();
  }
}

/** Time until a question has the newest entry, while others are inserted. */
async function measureFollowing(): Promise<void> {
  const store = start();
  await untilComplete(store);
  const pid = findLogStoreProcess();
  const first = (await store.ask({ kind: "old-entries", before: Number.MAX_SAFE_INTEGER })).answer.entries;
  const [before, startedMs] = [readCpuMs(pid), performance.now()];
  const waits: number[] = [];
  let inserted = 0;
  while (inserted < FOLLOWED_PER_SECOND * FOLLOWED_SECONDS) {
    const due = Math.floor(((performance.now() - startedMs) / 1_000) * FOLLOWED_PER_SECOND);
    if (due > inserted) await addRows(database, SHAPE, SHAPE.rows + inserted + 1, SHAPE.rows + due);
    inserted = Math.max(inserted, due);
    if (Math.random() < 0.02) {
      const askedMs = performance.now();
      const { answer } = await store.ask({ kind: "old-entries", before: Number.MAX_SAFE_INTEGER });
      waits.push(performance.now() - askedMs);
      if (answer.entries !== first + inserted)
        throw new Error(`${first + inserted} entries, and ${answer.entries} in the answer.`);
    }
    await wait(5);
  }
  const cpu = readCpuMs(pid) - before;
  waits.sort((left, right) => left - right);
  const at = (part: number) => (waits[Math.floor(waits.length * part)] ?? 0).toFixed(0);
  print(
    `following ${FOLLOWED_PER_SECOND} entries/s: ${((cpu * 1_000) / inserted).toFixed(1)} µs of CPU per entry; ` +
      `a count with the newest entry: p50 ${at(0.5)}, p95 ${at(0.95)}, worst ${waits.at(-1)?.toFixed(0)} ms of ${waits.length}`,
  );
  await store.close();
  await database.db.deleteFrom("logs").where("id", ">", SHAPE.rows).execute();
}

async function measureCall(name: string, call: (index: number) => Promise<unknown>): Promise<void> {
  const wall: number[] = [];
  for (let index = 0; index < TIMES; index += 1) {
    const startedMs = performance.now();
    await call(index);
    wall.push(performance.now() - startedMs);
  }
  print(`call: ${name.padEnd(42)} ${median(wall).toFixed(0).padStart(6)} ms, least ${Math.min(...wall).toFixed(0)}`);
}

function removeFile(): void {
  removeReplica(file);
}

function fileMegabytes(): string {
  return (statSync(file).size / 1_000_000).toFixed(0);
}

async function untilComplete(store: LogStore): Promise<void> {
  await until(async () => (await store.ask({ kind: "old-entries", before: 0 })).isComplete);
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await wait(10);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0;
}

function printProblem(details: object, message: string): void {
  print(`${message} ${JSON.stringify(details)}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
