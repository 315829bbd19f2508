import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { outcomeOf } from "@one-api/contract/logs/log-outcome";
import { foreseeChange, type WhatIfInput } from "@one-api/contract/usage/what-if";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { systemClock } from "../../../platform/clock.ts";
import { setOptions } from "../../../testing/set-options.ts";
import { CHAT, chatBody, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";

const [CHEAP, DEAR] = ["gpt-4o-mini", "gpt-4o"];
const LONG = "long ".repeat(2_000);
const LONG_FROM = 1_000;
/** Far from each other and from a request that is not slow, on a busy machine too. */
const SLOW_MS = 700;
const DEADLINE_MS = 500;
/** Times of the first token on a busy machine. */
const TOLERANCE_MS = 120;

type Alias = NonNullable<WhatIfInput["aliases"]>[string];

interface Call {
  readonly isLong: boolean;
  readonly hasTools: boolean;
  /** Behaviour of the cheap model's provider. */
  readonly cheap: "well" | "slow" | "fails";
}

/** Prompts of both lengths, a part of them with tools. The cheap model fails for every tenth and is slow for every tenth. */
const TRAFFIC: readonly Call[] = Array.from({ length: 60 }, (_, index) => ({
  isLong: index % 3 === 0,
  hasTools: index % 4 < 2,
  cheap: index % 10 === 1 ? "fails" : index % 10 === 3 ? "slow" : "well",
}));

const TOOLS = [{ type: "function", function: { name: "look", parameters: { type: "object", properties: {} } } }];

/** What the requests for an alias came to. */
interface Result {
  readonly requests: Readonly<Record<string, number>>;
  readonly errors: number;
  readonly spend: number;
  readonly cost: number;
}

describe("what-if of an alias, beside the router with the same traffic", () => {
  let gateway: RelayTest;
  let cheap: StubServer;
  let dear: StubServer;
  let key: string;
  let passedMs = 0;
  before(async () => {
    // A channel whose failures are far apart has no cooldown.
    const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + passedMs };
    gateway = await startRelayTest({ clock });
    [cheap, dear] = [await gateway.upstream(), await gateway.upstream()];
    const costs = JSON.stringify({ "*": { factor: 50 } });
    await gateway.addChannel(cheap, { name: "cheap", models: CHEAP, costs });
    await gateway.addChannel(dear, { name: "dear", models: DEAR, costs });
    await setOptions(gateway.testApp, {
      RetryTimes: "0",
      ModelRatio: JSON.stringify({ [CHEAP]: 100, [DEAR]: 1_000 }),
      CompletionRatio: JSON.stringify({ [CHEAP]: 4, [DEAR]: 4 }),
    });
    key = await gateway.addToken({ unlimited_quota: true, rpm_limit: 0, tpm_limit: 0 });
    // The first request of a process takes longer.
    for (const model of [CHEAP, DEAR]) await ask(model, { isLong: true, hasTools: true, cheap: "well" });
    await setAlias("smart", [CHEAP, DEAR]);
    for (const call of TRAFFIC) await ask("smart", call);
    for (const call of TRAFFIC.slice(0, 24)) await ask(DEAR, call);
  });
  after(() => gateway.close());

  const known: Record<string, Alias> = {};
  const setAlias = (name: string, alias: Alias) => {
    known[name] = alias;
    return setOptions(gateway.testApp, { ModelAliases: JSON.stringify(known) });
  };

  async function ask(model: string, { isLong, hasTools, cheap: behaviour }: Call): Promise<void> {
    passedMs += 60_000;
    if (behaviour === "well") cheap.setBehaviour({ kind: "normal" });
    else if (behaviour === "fails") cheap.setBehaviour({ kind: "refuse", status: 500 });
    else cheap.setBehaviour({ kind: "slow", headersDelayMs: SLOW_MS, chunkDelayMs: 0 });
    const more = { model, stream: true, max_tokens: 100, ...(hasTools && { tools: TOOLS }) };
    await (await gateway.post(CHAT, key, chatBody(isLong ? LONG : "hello", more))).text();
  }

  async function rowsOf(alias: string) {
    await gateway.books();
    const rows = gateway.testApp.database.db.selectFrom("logs").selectAll().where("type", "=", 2);
    return rows.where("alias", "=", alias).execute();
  }

  async function routed(alias: string): Promise<Result & { firstByteMs: number }> {
    const rows = (await rowsOf(alias)).map((row) => ({ ...row, outcome: outcomeOf(row) % 3 }));
    const times = rows.filter((row) => row.first_byte_ms > 0).map((row) => row.first_byte_ms);
    const byModel = Object.entries(Object.groupBy(rows, (row) => row.model_name));
    const refused = TRAFFIC.length - rows.length;
    const ofNone = refused === 0 ? [] : [["refused", refused] as const];
    return {
      requests: Object.fromEntries([...byModel.map(([model, of]) => [model, of?.length ?? 0] as const), ...ofNone]),
      errors: rows.filter(({ outcome }) => outcome > 0).length + refused,
      spend: rows.reduce((sum, { quota }) => sum + quota, 0),
      cost: rows.reduce((sum, { cost }) => sum + Math.max(0, cost), 0),
      firstByteMs: times.reduce((sum, ms) => sum + ms, 0) / (times.length || 1),
    };
  }

  async function foreseen(alias: Alias): Promise<Result & { firstByteMs: number; unjudged: number }> {
    const present = await routed("smart");
    const {
      before: was,
      after: would,
      models,
      unjudged,
    } = await gateway.root.data(foreseeChange, {
      body: { aliases: { smart: alias } },
    });
    const moved = models.map(({ model, before: b, after: a }) => {
      const requests = (present.requests[model] ?? 0) + a.requests - b.requests;
      return [model === "smart" ? "refused" : model, requests] as const;
    });
    const firstBytes = models.flatMap(({ after: a }) => (a.first_byte_ms === null ? [] : [a]));
    const weight = firstBytes.reduce((sum, { requests }) => sum + requests, 0);
    return {
      requests: Object.fromEntries(moved.filter(([, requests]) => requests > 0)),
      errors: present.errors + would.errors - was.errors,
      spend: present.spend + would.spend - was.spend,
      cost: present.cost + would.cost - was.cost,
      firstByteMs: firstBytes.reduce((sum, { first_byte_ms: ms, requests }) => sum + (ms ?? 0) * requests, 0) / weight,
      unjudged,
    };
  }

  const cases: readonly (readonly [name: string, alias: Alias])[] = [
    ["of its length", [{ model: CHEAP, when: { prompt_to: LONG_FROM - 1 } }, { model: DEAR, when: { prompt_from: LONG_FROM } }]],
    ["of its tools", [{ model: DEAR, when: { tools: true } }, { model: CHEAP, when: { tools: false } }]],
    ["of images that it has not", [{ model: DEAR, when: { images: true } }, CHEAP]],
    ["of a price ceiling", [{ model: DEAR, when: { input_price_to: 300 } }, CHEAP]],
    ["of conditions that leave some to no model", [{ model: CHEAP, when: { prompt_to: LONG_FROM } }]],
    ["of a deadline", [{ model: CHEAP, first_token_ms: DEADLINE_MS }, DEAR]],
    ["of no other model to fail over to", [CHEAP]],
    ["of another order", [DEAR, CHEAP]],
  ]; // prettier-ignore

  for (const [name, alias] of cases)
    test(`expects what the router does because ${name}`, async () => {
      const { firstByteMs: expectedMs, unjudged, ...expected } = await foreseen(alias);
      const trial = name.replaceAll(" ", "-");
      await setAlias(trial, alias);
      for (const call of TRAFFIC) await ask(trial, call);
      const { firstByteMs, ...real } = await routed(trial);
      assert.deepEqual({ ...expected, cost: 0, spend: 0 }, { ...real, cost: 0, spend: 0 });
      assertNear(expected.spend, real.spend, "spend");
      assertNear(expected.cost, real.cost, "cost");
      assert.ok(Math.abs(expectedMs - firstByteMs) < TOLERANCE_MS, `first token: ${expectedMs} of ${firstByteMs} ms`);
      assert.equal(unjudged, 0);
    });
});

/** Within 2 %. */
function assertNear(expected: number, real: number, what: string): void {
  assert.ok(Math.abs(expected - real) <= real * 0.02 + 1, `${what}: ${expected} of ${real}`);
}
