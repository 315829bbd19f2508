import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type LoadResult, runWrk } from "./run-wrk.ts";
import { type PinnedProcess, spawnPinned } from "./spawn-pinned.ts";

// Compares the gateway with a bare proxy in one run: same upstream, same load, each alone on core 0; upstream and load on core 1.
const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "8" },
    connections: { type: "string", default: "64" },
    rounds: { type: "string", default: "3" },
  },
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const rounds = Number(values.rounds);
const MODEL = "gpt-4o-mini";
/** The password of the benchmark's own root; its gateway lives in a temporary folder. */
const BENCH_PASSWORD = "bench-password";

const SCENARIOS = [
  {
    name: "answers",
    body: { model: MODEL, messages: [{ role: "user", content: "Say hello in five words, please." }], max_tokens: 32 },
  },
  {
    name: "streams",
    body: {
      model: MODEL,
      messages: [{ role: "user", content: "Say hello in five words, please." }],
      max_tokens: 32,
      stream: true,
    },
  },
];

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const dataDirectory = mkdtempSync(join(tmpdir(), "one-api-bench-"));
const running: PinnedProcess[] = [];
try {
  await compare();
} finally {
  for (const process of running) process.stop();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  rmSync(dataDirectory, { recursive: true, force: true });
}

async function compare(): Promise<void> {
  const start = async (core: number, program: string[], environment?: Record<string, string>) => {
    const started = await spawnPinned(core, program, environment);
    running.push(started);
    return started;
  };
  const upstream = await start(1, [path("../../packages/fake-upstream/src/main.ts"), "--port", "0"]);
  const bare = await start(0, [path("bare-proxy.ts"), "--upstream", upstream.url]);
  const environment = {
    PORT: "0",
    HOST: "127.0.0.1",
    DATA_DIR: dataDirectory,
    DATABASE_URL: "",
    ROOT_PASSWORD: BENCH_PASSWORD,
  };
  const gateway = await start(0, [path("../../apps/server/src/main.ts")], environment);
  const gatewayUrl = gateway.url;
  const key = await prepareGateway(gatewayUrl, upstream.url, MODEL);
  for (const scenario of SCENARIOS) {
    const load = (url: string) =>
      runWrk({
        url: `${url}/v1/chat/completions`,
        key,
        body: JSON.stringify(scenario.body),
        connections,
        seconds,
        core: 1,
      });
    await load(bare.url);
    await load(gatewayUrl);
    const direct = [await load(upstream.url)];
    const ofBare: LoadResult[] = [];
    const ofGateway: LoadResult[] = [];
    for (let round = 0; round < rounds; round += 1) {
      ofBare.push(await load(bare.url));
      ofGateway.push(await load(gatewayUrl));
    }
    report(scenario.name, { direct, bare: ofBare, gateway: ofGateway });
  }
  print(`memory: bare ${bare.memoryMegabytes().toFixed(0)} MiB, gateway ${gateway.memoryMegabytes().toFixed(0)} MiB`);
}

function report(name: string, results: { direct: LoadResult[]; bare: LoadResult[]; gateway: LoadResult[] }): void {
  print(`\n${name}: ${connections} connections, ${rounds} rounds of ${seconds} s, medians`);
  for (const [who, runs] of Object.entries(results)) {
    const failures = runs.reduce((sum, run) => sum + run.failures, 0);
    print(
      `  ${who.padEnd(8)} ${median(runs, "requestsPerSecond").toFixed(0).padStart(7)} requests/s   p50 ${median(runs, "p50").toFixed(2)} ms   p99 ${median(runs, "p99").toFixed(2)} ms   failures ${failures}`,
    );
  }
  const ratio = median(results.gateway, "requestsPerSecond") / median(results.bare, "requestsPerSecond");
  print(
    `  gateway / bare: ${ratio.toFixed(2)}   added p50 ${added(results, "p50")} ms, p99 ${added(results, "p99")} ms`,
  );
}

function added(results: { bare: LoadResult[]; gateway: LoadResult[] }, field: "p50" | "p99"): string {
  return (median(results.gateway, field) - median(results.bare, field)).toFixed(2);
}

function median(runs: readonly LoadResult[], field: keyof LoadResult): number {
  const sorted = runs.map((run) => run[field]).sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Sets up a fresh gateway through its API: one channel to the upstream and one unlimited key, which it returns. */
async function prepareGateway(url: string, upstream: string, models: string): Promise<string> {
  const login = await fetch(`${url}/api/user/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "root", password: BENCH_PASSWORD }),
  });
  const cookie = login.headers
    .getSetCookie()
    .map((set) => set.split(";")[0])
    .join("; ");
  const post = async (call: string, body: unknown): Promise<unknown> => {
    const answer = await fetch(url + call, {
      method: "POST",
      headers: { "content-type": "application/json", cookie },
      body: JSON.stringify(body),
    });
    const json: unknown = await answer.json();
    if (!isGood(json)) throw new Error(`${call} was refused: ${JSON.stringify(json)}`);
    return json.data;
  };
  await post("/api/channel/", { type: 1, name: "bench", key: "sk-bench", base_url: upstream, models });
  const token = await post("/api/token/", {
    name: "bench",
    unlimited_quota: true,
    rpm_limit: 0,
    tpm_limit: 0,
    dpm_limit: 0,
  });
  if (typeof token !== "object" || token === null || !("key" in token)) throw new Error("The gateway answered no key.");
  return `sk-${String(token.key)}`;
}

function isGood(json: unknown): json is { success: true; data?: unknown } {
  return typeof json === "object" && json !== null && "success" in json && json.success === true;
}
