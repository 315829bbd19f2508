import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import path from "node:path";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { whyMissing } from "../test-databases.ts";
import { findPostgres } from "../../../../scripts/lib/find-programs.mjs";
import { startPostgresCluster } from "./postgres-cluster.ts";

const programs = findPostgres();
const skip = programs === undefined ? (whyMissing("postgres") ?? "no server programs here") : false;

function folderOf(adminUrl: string): string {
  return new URL(adminUrl).searchParams.get("host") ?? "";
}

/** A server that stops writes all it has to the disk first, which may be busy. */
async function untilGone(folder: string): Promise<void> {
  while (existsSync(folder)) await sleep(100);
}

it("starts a server that answers, and leaves nothing behind when it is stopped", { skip }, async () => {
  const cluster = await startPostgresCluster(programs ?? "");
  const client = new pg.Client({ connectionString: cluster.adminUrl });
  await client.connect();
  const { rows } = await client.query("select pg_postmaster_start_time() is not null as runs");
  assert.deepEqual(rows, [{ runs: true }]);
  await client.end();
  await cluster.stop();
  assert.equal(existsSync(folderOf(cluster.adminUrl)), false);
});

it("stops the server when the process that started it is killed with -9", { skip }, async () => {
  const script = `
    import { startPostgresCluster } from ${JSON.stringify(path.join(import.meta.dirname, "postgres-cluster.ts"))};
    console.log((await startPostgresCluster(${JSON.stringify(programs)})).adminUrl);
    setInterval(() => undefined, 1000);`;
  const owner = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said: unknown[] = await once(owner.stdout.setEncoding("utf8"), "data");
  const folder = folderOf(String(said[0]));
  assert.equal(existsSync(path.join(folder, "data", "postmaster.pid")), true);
  owner.kill("SIGKILL");
  await untilGone(folder);
});

it("says what PostgreSQL said when it does not start", { skip }, async () => {
  await assert.rejects(startPostgresCluster("/nonexistent"), /PostgreSQL did not start:[^]*not found/);
});

it("runs a command with the server's address, and ends with its exit code", { skip }, async () => {
  const command = `console.log(process.env.TEST_POSTGRES_URL); process.exitCode = 7`;
  const runner = path.join(import.meta.dirname, "run-with-postgres.ts");
  const { TEST_POSTGRES_URL: _, ...environment } = process.env;
  const child = spawn(process.execPath, [runner, process.execPath, "-e", command], {
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  await once(child, "close");
  assert.equal(child.exitCode, 7);
  assert.match(output, /^postgres:\/\/postgres@localhost\/postgres\?host=/);
  assert.equal(existsSync(folderOf(output.trim())), false);
});
