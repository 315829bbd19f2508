import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { makeTemporaryFolder } from "@one-api/database/testing/temporary-folder";
import { z } from "zod";
import { waitUntil } from "@one-api/database/testing/wait-until";

/** Says why Prometheus cannot be started; undefined where it is installed. */
export function whyNoPrometheus(): string | undefined {
  const isInstalled = ["prometheus", "promtool"].every((name) => spawnSync(name, ["--version"]).status === 0);
  return isInstalled ? undefined : "prometheus and promtool are not installed (apt-get install prometheus)";
}

/** Runs promtool. Returns its exit code and output. */
export function runPromtool(
  words: readonly string[],
  input = "",
): { readonly code: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync("promtool", words, { input, encoding: "utf8" });
  return { code: status, output: stdout + stderr };
}

/** A Prometheus that scrapes one target. */
export interface TestPrometheus {
  /** Returns the values of a query. Throws for an invalid one. */
  query(expression: string): Promise<number[]>;
  close(): Promise<void>;
}

const answerSchema = z.object({
  status: z.literal("success"),
  data: z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.string()]) })) }),
});

/** Starts Prometheus with a target and its bearer token. */
export async function startPrometheus(target: URL, token: string): Promise<TestPrometheus> {
  const folder = makeTemporaryFolder("one-api-prometheus-");
  mkdirSync(join(folder, "data"));
  const job = {
    job_name: "one-api",
    scrape_interval: "2s",
    scrape_timeout: "2s",
    authorization: { credentials: token },
    static_configs: [{ targets: [target.host] }],
  };
  // JSON is YAML.
  writeFileSync(join(folder, "prometheus.yml"), JSON.stringify({ scrape_configs: [job] }));
  const address = `127.0.0.1:${await freePort()}`;
  const flags = [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=${address}`,
  ];
  const child = spawn("prometheus", flags, { stdio: "ignore" });
  await waitUntil(() =>
    fetch(`http://${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    async query(expression) {
      const answer = await fetch(`http://${address}/api/v1/query?query=${encodeURIComponent(expression)}`);
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${expression}: ${text}`);
      return answerSchema.parse(JSON.parse(text)).data.result.map(({ value: [, value] }) => Number(value));
    },
    async close() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = z.object({ port: z.number() }).parse(server.address());
  server.close();
  await once(server, "close");
  return port;
}
