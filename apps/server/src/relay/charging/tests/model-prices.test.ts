import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { listOwnLogs } from "@one-api/contract/logs/log";
import { listPrices } from "@one-api/contract/prices/pricing";
import { updateOption } from "@one-api/contract/options/option";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { setOptions } from "../../../testing/set-options.ts";
import { CHAT, chatBody, errorOf, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";

const MODEL = "own-model";
const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 };
const HOUR_MS = 3_600_000;

for (const kind of DATABASE_KINDS) {
  describe(`own prices of models on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let passedMs = 0;
    const clock = { nowMs: () => Date.now() + passedMs, monotonicMs: () => performance.now() };
    let gateway: RelayTest;
    let upstream: StubServer;
    let key: string;
    before(async () => {
      gateway = await startRelayTest({ kind, clock });
      upstream = await gateway.upstream();
      await gateway.addChannel(upstream, { models: MODEL });
      key = await gateway.addToken();
    });
    afterEach(() => setOptions(gateway.testApp, { ModelPrices: "", ModelRatio: "" }));
    after(() => gateway.close());

    const setPrices = (price: object) =>
      setOptions(gateway.testApp, { ModelPrices: JSON.stringify({ [MODEL]: price }) });
    const inHours = (hours: number) => new Date(clock.nowMs() + hours * HOUR_MS).toISOString();
    /** Refused requests are logged later, so the newest entry may be another's. */
    const chargeOf = async (answer: Response) => {
      const entries = await gateway.root.data(listOwnLogs, { query: {} });
      const entry = entries.find(({ request_id }) => request_id === answer.headers.get("x-request-id"));
      return [entry?.quota, entry?.detail?.charge?.formula_parts?.source];
    };
    const charge = async (counted: Readonly<Record<string, unknown>> = usage) => {
      upstream.setBehaviour({ kind: "usage-override", report: "given", usage: counted });
      const answer = await gateway.post(CHAT, key, chatBody("hello", { model: MODEL }));
      assert.equal(answer.status, 200, await answer.text());
      return chargeOf(answer);
    };

    test("of tokens win over ratios, and have a price for each kind and for long prompts", async () => {
      await setOptions(gateway.testApp, { ModelRatio: JSON.stringify({ [MODEL]: 50 }) });
      await setPrices({
        input: 2,
        output: 8,
        cached_input: 0.5,
        reasoning: 20,
        steps: [{ above: 1_500, input: 4, output: 16 }],
      });
      assert.deepEqual(await charge(), [1_400, "option"]);
      const kinds = {
        ...usage,
        prompt_tokens_details: { cached_tokens: 600 },
        completion_tokens_details: { reasoning_tokens: 50 },
      };
      // 400 × $2 + 600 × $0.50 + 50 × $8 + 50 × $20 a million.
      assert.deepEqual(await charge(kinds), [1_250, "option"]);
      assert.deepEqual(await charge({ ...usage, prompt_tokens: 2_000, total_tokens: 2_100 }), [4_800, "option"]);
    });

    test("of a request charge one request, whatever it counts", async () => {
      await setPrices({ per_request: 0.02 });
      assert.deepEqual(await charge(), [10_000, "option"]);
      assert.deepEqual(await charge({ prompt_tokens: 1, completion_tokens: 90_000, total_tokens: 90_001 }), [
        10_000,
        "option",
      ]);
      const [shown] = await gateway.root.data(listPrices);
      assert.deepEqual(shown?.unit_price, { unit: "request", dollars: 0.02 });
      const poor = await gateway.addToken({ remain_quota: 9_999 });
      assert.equal((await gateway.post(CHAT, poor, chatBody("hello", { model: MODEL }))).status, 403);
      const enough = await gateway.addToken({ remain_quota: 10_000 });
      assert.equal((await gateway.post(CHAT, enough, chatBody("hello", { model: MODEL }))).status, 200);
    });

    test("begin at their time, and a request is charged by the price that it was reserved by", async () => {
      await setPrices([
        { input: 2, output: 2 },
        { from: inHours(1), input: 200, output: 200 },
      ]);
      assert.deepEqual(await charge(), [1_100, "option"]);
      upstream.setBehaviour({ kind: "stall", afterChunks: 3 });
      const leave = new AbortController();
      const stream = await fetch(`${gateway.url}${CHAT}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(chatBody("hello", { model: MODEL, stream: true })),
        signal: leave.signal,
      });
      const reader = stream.body?.getReader();
      await reader?.read();
      passedMs += 2 * HOUR_MS;
      leave.abort();
      await gateway.testApp.deps.relay.inFlight.idle();
      const [entry] = await gateway.root.data(listOwnLogs, { query: {} });
      assert.equal(entry?.detail?.charge?.rule, "partial");
      assert.equal(entry?.detail?.charge?.model_ratio, 1);
      assert.deepEqual(await charge(), [110_000, "option"]);
      const [shown] = await gateway.root.data(listPrices);
      assert.deepEqual([shown?.input, shown?.output], [200, 200]);
    });

    test("are needed where models without a price are refused; else the fallback price is charged and marked", async () => {
      assert.deepEqual(await charge(), [33_000, "fallback"]);
      await setOptions(gateway.testApp, { UnpricedModels: "refuse" });
      for (const [path, more] of [
        [CHAT, {}],
        ["/v1/embeddings", { input: "hello" }],
        ["/v1/images/generations", { prompt: "hello" }],
      ] as const) {
        const refused = await gateway.post(path, key, { ...chatBody("hello", { model: MODEL }), ...more });
        assert.equal(refused.status, 403, path);
        const { code, message } = await errorOf(refused);
        assert.deepEqual([code, message.includes("An administrator can set one")], ["model_without_price", true]);
      }
      const channel = await gateway.testApp.database.db.selectFrom("channels").select("id").executeTakeFirstOrThrow();
      const forced = await gateway.post(CHAT, `${key}-${channel.id}`, chatBody("hello", { model: MODEL }));
      assert.equal(forced.status, 403);
      assert.deepEqual(await gateway.root.data(listPrices), []);
      await setPrices({ input: 2, output: 2 });
      assert.deepEqual(await charge(), [1_100, "option"]);
      await setOptions(gateway.testApp, { UnpricedModels: "fallback" });
    });

    test("that are wrong are refused by field, and the ones before stay", async () => {
      await setPrices({ input: 2, output: 2 });
      for (const [value, reason] of [
        ['{"own-model":{"input":0,"output":1}}', /"own-model\.input" must be above 0/],
        ['{"own-model":{"inputs":1}}', /"own-model\.(input|inputs)" is/],
        ["{", /not valid JSON/],
      ] as const) {
        const refused = await gateway.root.send(updateOption, { body: { key: "ModelPrices", value } });
        assert.equal(refused.envelope?.code, "option-prices", value);
        assert.match(refused.envelope?.message ?? "", reason);
      }
      assert.deepEqual(await charge(), [1_100, "option"]);
    });
  });
}
