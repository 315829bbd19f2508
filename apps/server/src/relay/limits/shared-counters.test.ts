import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { createClient } from "@redis/client";
import type { LimitValues } from "@one-api/contract/limits/limit-constants";
import type { ServerPlace } from "@one-api/ledger/ledger";
import { limitsOf } from "../../features/limits/index.ts";
import { systemClock } from "../../platform/clock.ts";
import { createLog } from "../../platform/logging/create-log.ts";
import { connectRedis, redisScript } from "../../platform/redis.ts";
import { startRealRedis } from "../../testing/servers/start-test-redis.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";
import { RelayError } from "../errors/index.ts";
import { COUNT_SCRIPT } from "./count-script.ts";
import { type Admission, RateLimiter } from "./rate-limiter.ts";
import { SharedCounters } from "./shared-counters.ts";

const silent = createLog("fatal", { write: () => undefined });
const LEASE_MS = 600;

interface Setup {
  readonly url: string;
  readonly place?: ServerPlace;
  readonly leaseMs?: number;
  readonly answerMs?: number;
}

/** More than a busy machine takes. */
const PATIENT_MS = 20_000;

/** A limiter as one server has it. */
async function startServer(
  t: TestContext,
  { url, place = { index: 0, count: 1 }, leaseMs, answerMs = PATIENT_MS }: Setup,
) {
  const redis =
    (await connectRedis(url, systemClock, silent, answerMs)) ?? assert.fail("an address makes a connection");
  const shared = new SharedCounters(redis, "test", leaseMs);
  let isClosed = false;
  const close = () => {
    if (isClosed) return;
    isClosed = true;
    shared.close();
    redis.close();
  };
  t.after(close);
  await waitUntil(async () => redis.isReady);
  const limiter = new RateLimiter({ clock: systemClock, place: () => place, shared });
  const admit = async (
    values: LimitValues & { readonly id?: number },
    modelTokens = 0,
  ): Promise<Admission | RelayError> => {
    try {
      return await limiter.admit(limitsOf({ id: 1, ...values }), { models: ["m"], modelTokens, isForImages: false });
    } catch (error) {
      if (error instanceof RelayError) return error;
      throw error;
    }
  };
  return { limiter, redis, admit, close };
}

async function startRedis(t: TestContext, port?: number) {
  const redis = await startRealRedis(port);
  if (redis === undefined) t.skip("redis-server is not installed");
  else t.after(() => redis.close());
  return redis;
}

const admittedOf = (all: readonly (Admission | RelayError)[]): Admission[] =>
  all.filter((one): one is Admission => !(one instanceof RelayError));

/** Asks until the request is admitted. */
async function admitInTime(admit: () => Promise<Admission | RelayError>): Promise<Admission> {
  let admission: Admission | undefined;
  await waitUntil(async () => {
    [admission] = admittedOf([await admit()]);
    return admission !== undefined;
  });
  return admission ?? assert.fail("not admitted");
}

describe("limits that servers count together", () => {
  it("admit exactly the limit of 200 parallel requests to three servers", async (t) => {
    const redis = await startRedis(t);
    if (redis === undefined) return;
    const servers = await Promise.all([1, 2, 3].map(() => startServer(t, redis)));
    for (const values of [
      { rpm_limit: 10 },
      { concurrent_limit: 10 },
      { requests_5h_limit: 10 },
      { requests_day_limit: 10 },
    ]) {
      const all = await Promise.all(
        Array.from({ length: 200 }, (_, index) => servers[index % 3]?.admit(values) ?? assert.fail("no server")),
      );
      const admissions = admittedOf(all);
      assert.equal(admissions.length, 10, JSON.stringify(values));
      const refused = all.find((one) => one instanceof RelayError);
      assert.deepEqual([refused?.status, refused?.code], [429, "rate_limit_exceeded"]);
      for (const admission of admissions) admission.settle(0);
    }
  });

  it("reserve the upper bound of running requests, and replace it by their usage", async (t) => {
    const redis = await startRedis(t);
    if (redis === undefined) return;
    const [one, other] = [await startServer(t, redis), await startServer(t, redis)];
    const first = await one.admit({ tpm_limit: 1 }, 1_000);
    assert.ok(!(first instanceof RelayError));
    assert.ok((await other.admit({ tpm_limit: 1 }, 1)) instanceof RelayError, "all is reserved");
    first.settle(400);
    first.settle(400);
    const second = await admitInTime(() => other.admit({ tpm_limit: 1 }, 100));
    assert.equal(second.states[0]?.used, 500);
    second.settle(600);
    const refused = await other.admit({ tpm_limit: 1 }, 1);
    assert.ok(refused instanceof RelayError);
    assert.ok(Number(refused.headers["retry-after"]) > 50);
  });

  it("give back the requests of a killed server after their lease, and none that still runs", async (t) => {
    const redis = await startRedis(t);
    if (redis === undefined) return;
    const killed = await startServer(t, { ...redis, leaseMs: LEASE_MS });
    const living = await startServer(t, { ...redis, leaseMs: LEASE_MS });
    const limits = { concurrent_limit: 2, tpm_limit: 1 };
    await killed.admit(limits, 500);
    const running = await living.admit(limits, 500);
    assert.ok(!(running instanceof RelayError));
    assert.ok((await living.admit(limits)) instanceof RelayError);
    killed.close();
    const next = await admitInTime(() => living.admit(limits, 10));
    const [concurrent, tokens] = [next.states[1], next.states[0]];
    assert.deepEqual([concurrent?.used, tokens?.used], [2, 510], "the running request outlives many leases");
  });

  it("are shares of each server while Redis is lost, and whole again once it is back", async (t) => {
    const redis = await startRedis(t);
    if (redis === undefined) return;
    const servers = await Promise.all(
      [0, 1, 2].map((index) => startServer(t, { ...redis, place: { index, count: 3 } })),
    );
    const callAll = async (values: LimitValues & { id?: number }) =>
      admittedOf(
        (
          await Promise.all(servers.map(({ admit }) => Promise.all(Array.from({ length: 15 }, () => admit(values)))))
        ).flat(),
      );
    await redis.close();
    await waitUntil(async () => servers.every((server) => !server.redis.isReady));
    assert.equal((await callAll({ id: 2, rpm_limit: 10 })).length, 10);
    const back = await startRedis(t, redis.port);
    assert.ok(back !== undefined);
    await waitUntil(async () => servers.every((server) => server.redis.isReady));
    assert.equal((await callAll({ id: 3, rpm_limit: 10 })).length, 10);
    const [whole] = admittedOf(await Promise.all(servers.map(({ admit }) => admit({ id: 4, rpm_limit: 10 }))));
    assert.equal(whole?.states[0]?.allowed, 10);
  });

  it("fail no request while Redis is frozen", async (t) => {
    const redis = await startRedis(t);
    if (redis === undefined) return;
    const server = await startServer(t, { ...redis, answerMs: 250 });
    await server.admit({ rpm_limit: 5 });
    redis.signal("SIGSTOP");
    const all = await Promise.all(Array.from({ length: 20 }, () => server.admit({ rpm_limit: 5 })));
    redis.signal("SIGCONT");
    assert.equal(admittedOf(all).length, 4, "its own earlier request counts");
    assert.equal(server.redis.isReady, false, "it is not asked for a while");
  });

  it("wait for Redis without the time that this process was blocked", async (t) => {
    const server = await startRedis(t);
    if (server === undefined) return;
    const redis = (await connectRedis(server.url, systemClock, silent)) ?? assert.fail("no connection");
    t.after(() => redis.close());
    await waitUntil(async () => redis.isReady);
    // A script that is not there yet takes a second round trip, which begins after the block.
    const answer = redis.run(redisScript("return 7"), [], []);
    const blockedUntilMs = performance.now() + 600;
    while (performance.now() < blockedUntilMs);
    assert.equal(await answer, 7);
    assert.equal(redis.isReady, true);
  });

  it("survive a clock of Redis that is set back or forward", async (t) => {
    const redis = await startRedis(t);
    if (redis === undefined) return;
    const client = createClient({ url: redis.url }).on("error", () => undefined);
    await client.connect();
    t.after(() => client.destroy());
    let nowMs = 1_700_000_000_000;
    const script = redisScript(COUNT_SCRIPT.text.replace(/local now = .*/, "local now = tonumber(ARGV[2])"));
    const run = async (op: object) => {
      const rules = [
        ["requests", 60, 3],
        ["concurrent", 0, 2],
      ];
      const call = { images: false, tokens: 0, lease: 30_000, subjects: [{ name: "s", rules }], ...op };
      const answer = await client.eval(script.text, { keys: [], arguments: [JSON.stringify(call), String(nowMs)] });
      assert.ok(Array.isArray(answer) || answer === 1);
      return Array.isArray(answer) ? answer.map(Number) : [];
    };
    const admit = (id: string) => run({ op: "admit", id });
    await admit("a");
    await admit("b");
    nowMs -= 3_600_000;
    assert.deepEqual((await admit("c")).slice(0, 2), [-2, 2], "both still run");
    await run({ op: "settle", id: "a", used: 0 });
    assert.deepEqual((await admit("c"))[0], 1);
    assert.equal((await run({ op: "read" }))[1], 3, "no request is forgotten");
    nowMs += 31_000;
    assert.equal((await run({ op: "read" }))[3], 0, "leases given before end in time");
    nowMs += 31_000;
    assert.equal((await run({ op: "read" }))[1], 0, "the window ends a minute later");
    await admit("d");
    nowMs += 3_600_000;
    assert.deepEqual(await run({ op: "read" }), [1, 0, 0, 0, 0]);
    await run({ op: "renew", claims: [{ id: "d", tokens: 0, names: ["s"] }] });
    assert.equal((await run({ op: "read" }))[3], 1, "a running request comes back with its next renewal");
  });
});
