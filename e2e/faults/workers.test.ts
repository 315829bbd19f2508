import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { createTestDatabase, whyMissing } from "@one-api/database/test-databases";
import { startStubServer } from "@one-api/stub-server/start-stub-server";
import { logInToGateway } from "../gateway/gateway-client.ts";
import { setUpStubChannel } from "../gateway/set-up-stub-channel.ts";
import { SERVER, startGateway } from "../gateway/start-gateway.ts";
import { askInEveryWay } from "./ask-in-every-way.ts";
import { expectBooksInOrder } from "./expect-books-in-order.ts";
import { forgetDeadGateways } from "./forget-dead-gateways.ts";

const WORKERS = 2;
const CALLS = 60;
const LONGEST_WAIT_MS = 60_000;

/** Process ids of the workers, without the log store's process. */
function workersOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return children
    .filter((child) => child !== "" && readFileSync(`/proc/${child}/cmdline`, "utf8").includes("main.ts"))
    .filter((child) => !readFileSync(`/proc/${child}/cmdline`, "utf8").includes("log-store"))
    .map(Number);
}

const LISTENS = "0A";

/** Sockets that listen on the port: each worker has one. */
function countListeners(port: string): number {
  const local = `:${Number(port).toString(16).toUpperCase().padStart(4, "0")}`;
  const sockets = readFileSync("/proc/net/tcp", "utf8").split("\n").slice(1);
  return sockets
    .map((line) => line.trim().split(/\s+/))
    .filter(([, address = "", , state]) => address.endsWith(local) && state === LISTENS).length;
}

async function run(environment: Readonly<Record<string, string>>) {
  const server = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", SERVER], {
    env: { ...process.env, PORT: "0", ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  server.stderr.on("data", (text: Buffer) => (stderr += text.toString()));
  await once(server, "close");
  return { code: server.exitCode, stderr };
}

const isLinux = process.platform === "linux" ? false : "reads /proc";

test(
  "workers share a port and a log store, and one that is killed is replaced",
  { skip: whyMissing("postgres") ?? isLinux },
  async (t) => {
    const upstream = await startStubServer({ behaviour: () => ({ kind: "normal", chunkDelayMs: 5, pieces: 8 }) });
    t.after(() => upstream.close());
    const made = await createTestDatabase("postgres");
    t.after(() => made.remove());
    const alone = await startGateway(made.location);
    const key = await setUpStubChannel(alone.url, upstream.at("openai"));
    await alone.terminate();
    const gateway = await startGateway(made.location, undefined, { WORKERS: String(WORKERS) });
    t.after(() => gateway.kill());
    const workers = async () => {
      const deadline = Date.now() + LONGEST_WAIT_MS;
      while (countListeners(new URL(gateway.url).port) < WORKERS) {
        assert.ok(Date.now() < deadline, "there are too few workers");
        await wait(20);
      }
      return workersOf(gateway.pid);
    };
    const before = await workers();
    const [killed = 0] = before;
    let ends = 0;
    const delivered = await askInEveryWay({ url: gateway.url, key }, CALLS, () => {
      ends += 1;
      if (ends === 10) process.kill(killed, "SIGKILL");
    });
    assert.ok(delivered.length > 10, "the other worker goes on");
    const after = await workers();
    assert.equal(after.includes(killed), false);
    const more = await askInEveryWay({ url: gateway.url, key }, CALLS);
    assert.equal(more.length, CALLS);
    delivered.push(...more);
    const root = await logInToGateway(gateway.url);
    for (let question = 0; question < 6; question += 1) {
      assert.ok(await root.get("/api/log/stat?type=2"), "every worker answers from the log store");
    }
    assert.equal(await gateway.terminate(), 0);
    await forgetDeadGateways(made.location);
    const next = await startGateway(made.location);
    assert.equal(await next.terminate(), 0);
    await expectBooksInOrder(made.location, delivered);
  },
);

test("a wrong setting ends all workers with one message", { skip: whyMissing("postgres") ?? false }, async (t) => {
  const made = await createTestDatabase("postgres");
  t.after(() => made.remove());
  const refused = await run({ WORKERS: "2", DATABASE_URL: "" });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^WORKERS must be 1 with SQLite/);
  const first = await startGateway(made.location);
  await first.terminate();
  const { databaseUrl, dataDirectory } = made.location;
  const wrongKey = await run({
    WORKERS: "2",
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDirectory,
    SECRET_KEY: "k".repeat(32),
  });
  assert.equal(wrongKey.code, 1);
  assert.equal(wrongKey.stderr.match(/do not open with the master key/g)?.length, 1, wrongKey.stderr);
});
