import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { connectDatabase } from "@one-api/database/connect-database";
import { migrate } from "@one-api/database/migrate";
import type { OpenDatabase } from "@one-api/database/open-database";
import { createPostgresDatabase } from "@one-api/database/testing/postgres-test-server";
import { findLogIds } from "../../../apps/server/src/features/logs/find-log-ids.ts";
import { buildNextBatch } from "../../../apps/server/src/features/logs/groups/build-log-groups.ts";
import { listNames, listOwnValues } from "../../../apps/server/src/features/logs/groups/list-log-values.ts";
import { type LogFilter, NO_FILTER } from "../../../apps/server/src/features/logs/log-filter.ts";
import { listRowsByIds } from "../../../apps/server/src/features/logs/log.repository.ts";
import { sumLogs } from "../../../apps/server/src/features/logs/sum-logs.ts";
import { foldNextUsage, STEP_SIZES, readUsage } from "../../../apps/server/src/features/usage/index.ts";
import { fillLog } from "./fill-log.ts";
import { measureConsole } from "./measure-console.ts";
import { cpuBetween, readServerCpu } from "./server-cpu.ts";

// How long the log's lists and totals take, on a log of so many entries: node bench/src/log/main.ts --rows 10000000 --database postgres
const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "1000000" },
    users: { type: "string", default: "10000" },
    channels: { type: "string", default: "1000" },
    days: { type: "string", default: "30" },
    database: { type: "string", default: "sqlite" },
    /** Keeps the filled database there, and uses it again. */
    folder: { type: "string", default: "" },
    url: { type: "string", default: "" },
    /** Adds up so many entries at a time, to fill a database in a tenth of the time; 0 for as many as a server would. */
    step: { type: "string", default: "0" },
    /** `usage`: the dashboard's sums alone; `console`: whole calls alone. */
    only: { type: "string", default: "" },
  },
});
const DAY = 86_400;
const FROM = 1_790_000_000;
const END = FROM + Number(values.days) * DAY;
const week = { startTimestamp: END - 7 * DAY - 1_234, endTimestamp: END - 55 };
const hour = { startTimestamp: END - 3 * DAY, endTimestamp: END - 3 * DAY + 3_600 };

/** Filters that are asked for again and again; `#` stands for another user each time, whose pages no cache has. */
const FILTERS: Readonly<Record<string, Partial<LogFilter>>> = {
  none: {},
  "until now": { endTimestamp: END + 3_600 },
  week,
  hour,
  type: { type: 4 },
  model: { modelName: "model-1" },
  "rare model, week": { modelName: "model-24", ...week },
  "model, channel": { modelName: "model-1", channelId: 3 },
  "model, channel, result, week": { modelName: "model-2", channelId: 4, result: "refused", ...week },
  result: { result: "provider-limited" },
  "no such result": { result: "timeout" },
  "heavy user": { username: "user-1" },
  "heavy user, model, week": { username: "user-1", modelName: "model-2", ...week },
  "heavy user, channel": { username: "user-1", channelId: 3 },
  "user #": { username: "user-#" },
  "user #, week": { username: "user-#", ...week },
  "user #, model": { username: "user-#", modelName: "model-1" },
  nobody: { username: "nobody" },
  "shared token": { tokenName: "default" },
  "shared token, model, week": { tokenName: "default", modelName: "model-5", ...week },
  "shared token, channel": { tokenName: "default", channelId: 3 },
  "token #": { tokenName: "token-#-1" },
};
const TIMES = 9;
const SHAPE = {
  rows: Number(values.rows),
  users: Number(values.users),
  channels: Number(values.channels),
  from: FROM,
  seconds: Number(values.days) * DAY,
};

const folder = values.folder === "" ? mkdtempSync(join(tmpdir(), "one-api-bench-")) : values.folder;
mkdirSync(folder, { recursive: true });
const databaseUrl =
  values.database !== "postgres" ? "" : values.url === "" ? await createPostgresDatabase() : values.url;
const database = await connectDatabase({ dataDirectory: folder, databaseUrl });
try {
  await migrate(database);
  await prepare();
  if (values.only === "") await measureAll(database);
  if (values.only !== "console") await measureUsage(database);
  if (values.only !== "usage") {
    print("whole calls                                median   worst     CPU   least  PostgreSQL's CPU");
    await measureConsole(database, SHAPE, measureCall);
  }
} finally {
  await database.close();
  if (values.folder === "") rmSync(folder, { recursive: true, force: true });
}

async function prepare(): Promise<void> {
  const isEmpty = (await database.db.selectFrom("logs").select("id").limit(1).executeTakeFirst()) === undefined;
  if (isEmpty) await fillLog(database, SHAPE, (rows) => rows % 1_000_000 === 0 && print(`${rows} entries`));
  if (values.only !== "usage")
    await repeat("grouped batches", 2_048, () => buildNextBatch(database, Number.MAX_SAFE_INTEGER));
  const most = Number(values.step) || undefined;
  await repeat("added up steps", most ?? STEP_SIZES[database.kind].most, () =>
    foldNextUsage(database, Number.MAX_SAFE_INTEGER, { entries: most }),
  );
  if (most !== undefined) while (await foldNextUsage(database, Number.MAX_SAFE_INTEGER));
}

/** Does what is done beside requests until there is nothing left, and says what an entry took of it. */
async function repeat(name: string, entries: number, step: () => Promise<boolean>): Promise<void> {
  const before = process.cpuUsage();
  const turns = watchTurnsOfWork();
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  let steps = 0;
  while (await step()) steps += 1;
  loop.disable();
  const longestTurnMs = turns?.stop() ?? 0;
  const { user, system } = process.cpuUsage(before);
  if (steps > 0)
    print(
      `${name}: ${steps}, ${((user + system) / steps / entries).toFixed(1)} µs of CPU an entry; event loop p99 ${(loop.percentile(99) / 1e6).toFixed(1)} ms, longest ${(loop.max / 1e6).toFixed(1)} ms; most CPU at a stretch ${longestTurnMs.toFixed(1)} ms`,
    );
}

/** Whoever watches turns never rests: while PostgreSQL works that would count as this thread's work, and take a core from it. */
function watchTurnsOfWork(): ReturnType<typeof watchTurns> | undefined {
  return database.kind === "sqlite" ? watchTurns() : undefined;
}

/** The most CPU time of this thread between two turns of the event loop, in ms: unlike the time that passes it is the same on a busy machine. */
function watchTurns(): { stop(): number } {
  let longest = 0;
  let isOver = false;
  let before = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, user + system);
    before = process.threadCpuUsage();
    if (!isOver) setImmediate(look);
  };
  look();
  return {
    stop() {
      isOver = true;
      return longest / 1_000;
    },
  };
}

/** What the dashboard asks: 31 days by the day and a day by the hour, which begin where no day of the server begins. */
async function measureUsage(of: OpenDatabase): Promise<void> {
  const edges = (count: number, seconds: number) =>
    Array.from({ length: count + 1 }, (_, index) => END - 5.5 * 3_600 - (count - index) * seconds);
  for (const [time, between] of [
    ["month", edges(30, DAY)],
    ["week", edges(7, DAY)],
    ["day", edges(24, 3_600)],
  ] as const) {
    for (const by of ["model", "channel", "user", "token"] as const)
      await measure(`usage, ${time} by ${by}`, () => readUsage(of, { edges: between, by, userId: 0 }));
    await measure(`usage, ${time}, heavy user`, () => readUsage(of, { edges: between, by: "model", userId: 1 }));
    await measure(`usage, ${time}, user (another each time)`, (index) =>
      readUsage(of, { edges: between, by: "token", userId: 1 + (((index + 1) * 2_741) % Number(values.users)) }),
    );
  }
}

async function measureAll(of: OpenDatabase): Promise<void> {
  print("what                                       median   worst     CPU   most at a stretch (ms)  PostgreSQL's CPU");
  for (const [name, filter] of Object.entries(FILTERS)) {
    const asked = (index: number): LogFilter => {
      const user = String(1 + (((index + 1) * 2_741) % Number(values.users)));
      const { username = "", tokenName = "" } = filter;
      return {
        ...NO_FILTER,
        ...filter,
        username: username.replace("#", user),
        tokenName: tokenName.replace("#", user),
      };
    };
    const list = async (index: number, p: number, size: number) => {
      const { ids } = await findLogIds(of, asked(index), { offset: p * size, limit: size, upTo: 0 });
      if (ids.length > 0) await listRowsByIds(of.db, asked(index), ids);
    };
    await measure(`list, ${name}`, (index) => list(index, 0, 20));
    await measure(`page 50,000, ${name}`, (index) => list(index, 50_000, 100));
    await measure(`totals, ${name}`, (index) => sumLogs(of, asked(index)));
  }
  await measure("suggestions, models", () => listNames(of.db, "model_name", "", 2_000));
  await measure("suggestions, tokens", () => listNames(of.db, "token_name", "", 2_000));
  await measure("own suggestions", (index) =>
    listOwnValues(of, "token_name", 1 + (((index + 1) * 2_741) % Number(values.users))),
  );
}

async function measure(name: string, work: (index: number) => Promise<unknown>): Promise<void> {
  const turns = watchTurnsOfWork();
  const figures = await timeWork(work);
  printFigures(name, { ...figures, last: turns?.stop() ?? 0 });
}

/** A call waits for more than the database: turns are not watched, and what it took at the least says most on a busy machine. */
async function measureCall(name: string, work: (index: number) => Promise<unknown>): Promise<void> {
  const figures = await timeWork(work);
  printFigures(name, { ...figures, last: figures.least });
}

interface Figures {
  readonly median: number;
  readonly worst: number;
  readonly least: number;
  readonly cpuMs: number;
  readonly serverCpuMs: number;
}

async function timeWork(work: (index: number) => Promise<unknown>): Promise<Figures> {
  const serverBefore = await readServerCpu(database);
  const before = process.threadCpuUsage();
  const times: number[] = [];
  for (let index = 0; index < TIMES; index += 1) {
    const started = performance.now();
    await work(index);
    times.push(performance.now() - started);
  }
  const { user, system } = process.threadCpuUsage(before);
  const serverCpuMs = cpuBetween(serverBefore, await readServerCpu(database)) / TIMES;
  times.sort((left, right) => left - right);
  const [least = 0, median = 0, worst = 0] = [times[0], times[Math.floor(TIMES / 2)], times.at(-1)];
  return { least, median, worst, cpuMs: (user + system) / 1_000 / TIMES, serverCpuMs };
}

function printFigures(
  name: string,
  { median, worst, cpuMs, last, serverCpuMs }: Omit<Figures, "least"> & { readonly last: number },
): void {
  print(
    `${name.padEnd(42)} ${[median, worst, cpuMs, last, serverCpuMs].map((ms, index) => ms.toFixed(1).padStart(index === 0 ? 6 : 7)).join(" ")}`,
  );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
