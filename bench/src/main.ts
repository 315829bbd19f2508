import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { measureOpenStreams } from "./measure-open-streams.ts";
import { type LoadResult, runWrk } from "./run-wrk.ts";
import { SCENARIOS, type Scenario } from "./scenarios.ts";
import { CORE, spawnPinned, stopPinned } from "./spawn-pinned.ts";
import { type Setting, SUBJECTS, type Subject } from "./subjects.ts";

// Compares the gateway with a bare proxy and another gateway in one run: same upstream and load, each alone on core 0
// with the others frozen; upstream, load and database on core 1. Rounds are interleaved against noise. Open streams are
// measured in fresh processes, because they wear V8's heap: a bare proxy is a fourth slower afterwards. `--worn`
// measures that state.
const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "5" },
    connections: { type: "string", default: "64" },
    rounds: { type: "string", default: "5" },
    accounts: { type: "string", default: "1,10000" },
    streams: { type: "string", default: "4000" },
    worn: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    json: { type: "string", default: "" },
  },
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const rounds = Number(values.rounds);
const openStreams = Number(values.streams);
const accountCounts = values.accounts.split(",").map(Number);
const only = values.only.split(",").filter((name) => name !== "");
const chosen = (all: readonly string[]) =>
  all.some((name) => only.includes(name)) ? all.filter((name) => only.includes(name)) : all;
const known = [...Object.keys(SUBJECTS), ...Object.keys(SCENARIOS), "memory"];
for (const name of only) if (!known.includes(name)) throw new Error(`--only knows ${known.join(", ")}, not ${name}.`);

interface Run extends LoadResult {
  /** Microseconds of CPU for a request, of the subject and of its database's server. */
  readonly cpu: number;
  readonly databaseCpu: number;
}

interface Line {
  readonly scenario: string;
  readonly accounts: number;
  readonly subject: string;
  readonly runs: Run[];
}

const folder = mkdtempSync(join(tmpdir(), "one-api-bench-"));
const subjects: Subject[] = [];
const upstreamProgram = fileURLToPath(new URL("../../packages/stub-server/src/main.ts", import.meta.url));
const stub = await spawnPinned(CORE.others, [upstreamProgram, "--port", "0", "--vendor", "openai"]);
const replayProgram = fileURLToPath(new URL("replaying-upstream.ts", import.meta.url));
const upstream = await spawnPinned(CORE.others, [replayProgram, "--stub", stub.url]);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void stopAll().then(() => process.exit(1)));
}
try {
  const wanted = chosen([...Object.keys(SCENARIOS), "memory"]);
  const measuresLoad = wanted.some((name) => name in SCENARIOS);
  let memory: string[][] = [];
  if (wanted.includes("memory") && !values.worn) {
    await startSubjects("memory", 1);
    memory = await measureMemory();
    await Promise.all(subjects.splice(0).map((subject) => subject.process.stop()));
  }
  if (measuresLoad || values.worn) await startSubjects("load", Math.max(...accountCounts));
  if (values.worn) memory = await measureMemory();
  const lines: Line[] = [];
  for (const name of wanted) {
    const scenario = SCENARIOS[name];
    if (scenario === undefined) continue;
    for (const accounts of accountCounts) lines.push(...(await compare(name, scenario, accounts)));
  }
  const summaries = summarize(lines);
  if (lines.length > 0) report(summaries);
  if (values.json !== "") writeFileSync(values.json, JSON.stringify(summaries));
  printTable(memory);
} finally {
  await stopAll();
}

async function startSubjects(place: string, accounts: number): Promise<void> {
  const setting: Setting = { upstream: upstream.url, folder: join(folder, place), accounts, say: print };
  mkdirSync(setting.folder);
  for (const name of new Set(["bare", ...chosen(Object.keys(SUBJECTS))])) {
    print(`starting ${name}`);
    const subject = await SUBJECTS[name]?.(setting);
    if (subject !== undefined) subjects.push(subject);
  }
}

async function stopAll(): Promise<void> {
  await stopPinned();
  rmSync(folder, { recursive: true, force: true });
}

/** Rounds of all subjects, in turn, after one that only warms up. */
async function compare(name: string, scenario: Scenario, accounts: number): Promise<Line[]> {
  const lines: Line[] = [];
  for (const subject of subjects) subject.process.freeze();
  for (const subject of subjects) {
    const warm = await loadOnce(subject, scenario, accounts, 3);
    if (warm.requests > 0 && warm.failures < warm.requests / 2)
      lines.push({ scenario: name, accounts, subject: subject.name, runs: [] });
    else print(`${subject.name} is left out of ${name}: it does not answer these calls.`);
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const line of lines) {
      const subject = subjects.find((each) => each.name === line.subject);
      if (subject === undefined) continue;
      const run = await loadOnce(subject, scenario, accounts, seconds);
      line.runs.push(run);
      print(
        `${name}, ${accounts} accounts, round ${round}: ${line.subject.padEnd(8)} ${run.requestsPerSecond.toFixed(0)}/s, ${run.cpu.toFixed(0)} µs`,
      );
    }
  }
  return lines;
}

async function loadOnce(subject: Subject, scenario: Scenario, accounts: number, forSeconds: number): Promise<Run> {
  const call = subject.translates || scenario.plain === undefined ? scenario : (SCENARIOS[scenario.plain] ?? scenario);
  const cpuBefore = subject.process.cpuMs();
  const databaseBefore = subject.databaseCpuMs?.() ?? 0;
  const keys = Array.from({ length: accounts }, (_, index) => subject.keys[index % subject.keys.length] ?? "");
  subject.process.thaw();
  const result = await runWrk({
    url: subject.process.url + call.path,
    headers: { ...call.headers, ...subject.headers },
    keyHeader: call.keyHeader,
    keys,
    body: JSON.stringify(call.body),
    connections,
    seconds: forSeconds,
    folder,
  });
  subject.process.freeze();
  const perRequest = (ms: number) => (ms * 1_000) / Math.max(1, result.requests);
  return {
    ...result,
    cpu: perRequest(subject.process.cpuMs() - cpuBefore),
    databaseCpu: perRequest((subject.databaseCpuMs?.() ?? 0) - databaseBefore),
  };
}

/** Medians of one line; p50 and p99 in ms above the bare proxy's. */
interface Summary {
  readonly scenario: string;
  readonly accounts: number;
  readonly subject: string;
  readonly requestsPerSecond: number;
  readonly ofBare: number;
  readonly cpuMicros: number;
  readonly leastCpuMicros: number;
  readonly databaseMicros: number;
  readonly addedP50Ms: number;
  readonly addedP99Ms: number;
  readonly failures: number;
}

function summarize(lines: readonly Line[]): Summary[] {
  return lines.map((line) => {
    const { scenario, accounts, subject, runs } = line;
    const bare = lines.find(
      (other) => other.subject === "bare" && other.scenario === scenario && other.accounts === accounts,
    );
    const added = (field: "p50" | "p99") => median(line, field) - (bare === undefined ? 0 : median(bare, field));
    return {
      scenario,
      accounts,
      subject,
      requestsPerSecond: median(line, "requestsPerSecond"),
      ofBare: bare === undefined ? 0 : median(line, "requestsPerSecond") / median(bare, "requestsPerSecond"),
      cpuMicros: median(line, "cpu"),
      leastCpuMicros: Math.min(...runs.map(({ cpu }) => cpu)),
      databaseMicros: subject === "postgres" ? median(line, "databaseCpu") : 0,
      addedP50Ms: added("p50"),
      addedP99Ms: added("p99"),
      failures: runs.reduce((sum, run) => sum + run.failures, 0),
    };
  });
}

function report(summaries: readonly Summary[]): void {
  print(
    `\n${connections} connections, ${rounds} rounds of ${seconds} s, medians; added p50 and p99 in ms to the bare proxy's`,
  );
  const heads = [
    "scenario",
    "accounts",
    "subject",
    "requests/s",
    "of bare",
    "CPU µs",
    "least",
    "database µs",
    "+p50",
    "+p99",
    "failures",
  ];
  const rows = summaries.map((line) => [
    line.scenario,
    String(line.accounts),
    line.subject,
    line.requestsPerSecond.toFixed(0),
    line.ofBare.toFixed(2),
    line.cpuMicros.toFixed(0),
    line.leastCpuMicros.toFixed(0),
    line.subject === "postgres" ? line.databaseMicros.toFixed(0) : "",
    line.addedP50Ms.toFixed(2),
    line.addedP99Ms.toFixed(2),
    String(line.failures),
  ]);
  printTable([heads, ...rows]);
}

function median({ runs }: Line, field: keyof Run): number {
  const sorted = runs.map((run) => run[field]).sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

async function measureMemory(): Promise<string[][]> {
  const rows: string[][] = [["subject", "MiB", `KiB for each of ${openStreams} further open streams`]];
  for (const subject of subjects) {
    const idle = subject.process.memoryMegabytes().toFixed(0);
    const each = await measureOpenStreams(subject, openStreams).then(
      (kibibytes) => kibibytes.toFixed(1),
      (error: unknown) => String(error),
    );
    rows.push([subject.name, idle, each]);
  }
  return rows;
}

function printTable(rows: readonly (readonly string[])[]): void {
  print("");
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows)
    print(
      row
        .map((cell, column) => (column < 1 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  "),
    );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
