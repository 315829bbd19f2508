import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createPostgresDatabase, postgresMissing } from "@one-api/database/testing/postgres-test-server";
import { addTokens, BENCH_PASSWORD, giveOwners } from "./gateway-accounts.ts";
import { CORE, cpuMsOf, type PinnedProcess, spawnPinned } from "./spawn-pinned.ts";

export const MODEL = "gpt-4o-mini";
const PORTKEY = "@portkey-ai/gateway@1.15.2";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

export interface Subject {
  readonly name: string;
  readonly process: PinnedProcess;
  /** Keys that it lets in, each of another account. */
  readonly keys: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly translates: boolean;
  /** CPU time of its database's server, in ms; undefined without one. */
  readonly databaseCpuMs: (() => number) | undefined;
}

export interface Setting {
  readonly upstream: string;
  readonly folder: string;
  readonly accounts: number;
  /** Reports something that cannot be measured here. */
  readonly say: (line: string) => void;
}

/** Starts a subject; undefined when this machine cannot. */
export type StartSubject = (setting: Setting) => Promise<Subject | undefined>;

/** Everything that is measured, by the name that `--only` takes; the bare proxy is the yardstick. */
export const SUBJECTS: Readonly<Record<string, StartSubject>> = {
  bare: startBare,
  sqlite: (setting) => startGateway("sqlite", setting, ""),
  postgres: startOnPostgres,
  portkey: startPortkey,
};

async function startBare({ upstream }: Setting): Promise<Subject> {
  const process = await spawnPinned(CORE.measured, [path("bare-proxy.ts"), "--upstream", upstream]);
  return { name: "bare", process, keys: ["sk-bare"], headers: {}, translates: false, databaseCpuMs: undefined };
}

async function startOnPostgres(setting: Setting): Promise<Subject | undefined> {
  const missing = postgresMissing();
  if (missing !== undefined) {
    setting.say(`postgres is left out: ${missing}`);
    return undefined;
  }
  const databaseUrl = await createPostgresDatabase();
  const folder = new URL(databaseUrl).searchParams.get("host") ?? "";
  const postmaster = join(folder, "data", "postmaster.pid");
  const subject = await startGateway("postgres", setting, databaseUrl);
  if (!existsSync(postmaster)) return subject;
  const pid = Number(readFileSync(postmaster, "utf8").split("\n")[0]);
  // With everything else, as on a machine of its own; what it has started already is pinned too.
  for (const each of treeOf(pid)) execFileSync("taskset", ["-cp", String(CORE.others), String(each)]);
  return { ...subject, databaseCpuMs: () => cpuMsOf(pid) };
}

function treeOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean);
  return [pid, ...children.flatMap((child) => treeOf(Number(child)))];
}

async function startGateway(name: string, setting: Setting, databaseUrl: string): Promise<Subject> {
  const dataDirectory = join(setting.folder, name);
  mkdirSync(dataDirectory, { mode: 0o700 });
  const environment = {
    PORT: "0",
    HOST: "127.0.0.1",
    DATA_DIR: dataDirectory,
    // A process that is frozen when its callers have left would keep their streams for as long.
    REPORT_WAIT_SECONDS: "0",
    DATABASE_URL: databaseUrl,
    ROOT_PASSWORD: BENCH_PASSWORD,
  };
  const start = () => spawnPinned(CORE.measured, [path("../../apps/server/src/main.ts")], environment);
  const first = await start();
  const keys = await addTokens(first.url, setting.upstream, MODEL, setting.accounts);
  await first.stop();
  await giveOwners({ dataDirectory, databaseUrl });
  return { name, process: await start(), keys, headers: {}, translates: true, databaseCpuMs: undefined };
}

/** Portkey keeps no accounts; what it is to call stands in headers. */
async function startPortkey({ upstream, say }: Setting): Promise<Subject | undefined> {
  const program = findPortkey();
  if (program === undefined) {
    say(`portkey is left out: ${PORTKEY} could not be installed from npm.`);
    return undefined;
  }
  const port = "8787";
  const process = await spawnPinned(
    CORE.measured,
    [program, "--headless", `--port=${port}`],
    { NODE_ENV: "production" },
    (printed) => (/running|ready|listening/i.test(printed) ? `http://127.0.0.1:${port}` : undefined),
  );
  const headers = { "x-portkey-provider": "openai", "x-portkey-custom-host": `${upstream}/v1` };
  return { name: "portkey", process, keys: ["sk-portkey"], headers, translates: false, databaseCpuMs: undefined };
}

function findPortkey(): string | undefined {
  const folder = join(homedir(), ".cache", "one-api-bench");
  const program = join(folder, "node_modules", "@portkey-ai", "gateway", "build", "start-server.js");
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  try {
    const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefix", folder];
    execFileSync("npm", ["install", ...options, PORTKEY], { stdio: "ignore", timeout: 120_000 });
  } catch {
    return undefined;
  }
  return existsSync(program) ? program : undefined;
}
