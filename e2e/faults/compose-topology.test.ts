import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { DatabaseLocation } from "@one-api/database/open-database";
import { temporaryFolder } from "@one-api/database/testing/temporary-folder";
import { startStubServer } from "@one-api/stub-server/start-stub-server";
import { findHaproxy, findOnPath, findPostgres } from "../../scripts/lib/find-programs.mjs";
import { askStub, setUpStubChannel } from "../gateway/set-up-stub-channel.ts";
import { startCallers } from "../gateway/start-callers.ts";
import { type Gateway, startGateway } from "../gateway/start-gateway.ts";
import { startPostgresPair } from "../gateway/start-postgres-pair.ts";
import { findFreePort, startProgram } from "../gateway/start-program.ts";
import { expectBooksInOrder } from "./expect-books-in-order.ts";
import { forgetDeadGateways } from "./forget-dead-gateways.ts";

const CALLERS = 64;
/** Every phase sees this many answers more after its event. */
const ANSWERS_AFTER = 200;
/** Time without a primary. HAProxy finds no gateway ready meanwhile. */
const OUTAGE_MS = 5_000;

const deploy = (file: string) => readFileSync(new URL(`../../deploy/${file}`, import.meta.url), "utf8");

const programs = findPostgres();
const haproxy = findHaproxy();
const redis = findOnPath("valkey-server", "redis-server");
const isMissing = [programs, haproxy, redis].includes(undefined);

test(
  "two gateways behind HAProxy lose only the calls of the one that is killed",
  { skip: isMissing && "PostgreSQL, HAProxy or Redis was not found." },
  async (t) => {
    assert.ok(programs !== undefined && redis !== undefined);
    const { databaseUrl, failOver } = await startPostgresPair(t, programs);
    const redisPort = await findFreePort();
    const valkey = await startProgram(t, redis, ["--port", String(redisPort), "--save", ""], redisPort);
    const upstream = await startStubServer({ behaviour: { kind: "normal", chunkDelayMs: 20, pieces: 20 } });
    t.after(() => upstream.close());
    const cluster = await startCluster(t, databaseUrl, redisPort, upstream.at("openai"));
    const balancer = await startBalancer(t, cluster.gateways);
    const load = startCallers(
      CALLERS,
      () => balancer,
      (url) => askStub(url, cluster.key),
    );
    t.after(() => load.stop());
    const expectNoFailed = async () => {
      await load.answers(ANSWERS_AFTER);
      assert.deepEqual(load.takeFailed(), []);
    };
    await expectNoFailed();

    await cluster.gateways[0].kill();
    const killedMs = Date.now();
    await load.answers(ANSWERS_AFTER);
    const lost = load.takeFailed();
    // HAProxy closes the connection of a call whose answer had not begun.
    const others = lost.filter(
      ({ server, startedMs }) => (server ?? "gateway-1") !== "gateway-1" || startedMs > killedMs,
    );
    assert.deepEqual(others, []);
    await cluster.restart(0);

    for (const index of [0, 1] as const) {
      assert.equal(await cluster.gateways[index].terminate(), 0);
      await cluster.restart(index);
      await expectNoFailed();
    }
    await valkey.kill();
    await expectNoFailed();
    const before = load.count();
    await Promise.all([failOver(OUTAGE_MS), load.arrive(OUTAGE_MS)]);
    await expectNoFailed();
    t.diagnostic(`${load.count() - before} answers since the primary was killed`);

    const delivered = await load.stop();
    assert.deepEqual(await Promise.all(cluster.gateways.map((gateway) => gateway.terminate())), [0, 0]);
    await forgetDeadGateways(cluster.location);
    await cluster.restart(0);
    assert.equal(await cluster.gateways[0].terminate(), 0);
    const charged = await expectBooksInOrder(cluster.location, delivered);
    t.diagnostic(`${lost.length} of ${CALLERS} calls lost, ${delivered.length} delivered, ${charged} charged`);
  },
);

/** Two gateways with the variables of compose.cluster.yaml. A restarted one keeps its address. */
async function startCluster(t: TestContext, databaseUrl: string, redisPort: number, upstreamUrl: string) {
  const [, delay = ""] = /STOP_DELAY_SECONDS: "(\d+)"/.exec(deploy("compose.cluster.yaml")) ?? [];
  const environment = {
    SECRET_KEY: "k".repeat(40),
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    TRUSTED_PROXIES: "127.0.0.1",
    STOP_DELAY_SECONDS: delay,
  };
  const locations: DatabaseLocation[] = ["1", "2"].map((name) => ({
    databaseUrl,
    dataDirectory: temporaryFolder(`one-api-gateway-${name}-`),
  }));
  const start = async (index: number, port = "0") => {
    const gateway = await startGateway(locations[index], undefined, { ...environment, PORT: port });
    t.after(() => gateway.kill());
    return gateway;
  };
  const first = await start(0);
  const key = await setUpStubChannel(first.url, upstreamUrl);
  // The other reads the prices as it starts.
  const gateways: [Gateway, Gateway] = [first, await start(1)];
  return {
    location: locations[0] ?? assert.fail(),
    key,
    gateways,
    async restart(index: 0 | 1): Promise<void> {
      gateways[index] = await start(index, new URL(gateways[index].url).port);
    },
  };
}

/** HAProxy with deploy/haproxy.cfg. Answers name their gateway in `x-served-by`. Returns its address. */
async function startBalancer(t: TestContext, gateways: readonly Gateway[]): Promise<string> {
  const port = await findFreePort();
  const lines = deploy("haproxy.cfg")
    .replace("bind :8080", `bind 127.0.0.1:${port}\n  http-after-response set-header x-served-by %[srv_name]`)
    .replace(/ {2}(server gateway-(\d)\S*) \S+/g, (_, server: string, number: string) => {
      const { host } = new URL(gateways[Number(number) - 1]?.url ?? "");
      return `  ${server} ${host}`;
    });
  const file = join(temporaryFolder("one-api-haproxy-"), "haproxy.cfg");
  writeFileSync(file, lines);
  await startProgram(t, haproxy ?? "", ["-db", "-f", file], port);
  return `http://127.0.0.1:${port}`;
}
