import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { updateOption } from "@one-api/contract/options/option";
import { getLog, listLogs } from "@one-api/contract/logs/log";
import { compareAlias } from "@one-api/contract/usage/dashboard";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { recordOf } from "@one-api/providers/shared/json-fields";
import { CHAT, chatBody, errorOf, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";
import { setOptions } from "../../../testing/set-options.ts";

const [CHEAP, DEAR] = ["gpt-4o-mini", "gpt-4o"];

describe("an alias", () => {
  let gateway: RelayTest;
  let cheap: StubServer;
  let dear: StubServer;
  let key: string;
  beforeEach(async () => {
    gateway = await startRelayTest();
    [cheap, dear] = [await gateway.upstream(), await gateway.upstream()];
    await gateway.addChannel(cheap, { name: "cheap", models: CHEAP });
    await gateway.addChannel(dear, { name: "dear", models: DEAR });
    await setOptions(gateway.testApp, { RetryTimes: "0" });
    key = await gateway.addToken();
  });
  afterEach(() => gateway.close());

  const setAliases = (aliases: unknown) => setOptions(gateway.testApp, { ModelAliases: JSON.stringify(aliases) });
  const ask = (model: string, more: Record<string, unknown> = {}, as = key) =>
    gateway.post(CHAT, as, chatBody("hello", { model, ...more }));
  const chargeOf = async (model: string) => {
    assert.equal((await ask(model)).status, 200);
    return (await gateway.lastLog()).quota;
  };

  for (const stream of [false, true]) {
    it(`is answered by its first model, charged and logged as that one: ${stream ? "stream" : "whole answer"}`, async () => {
      await setAliases({ fast: [CHEAP, DEAR] });
      const charge = await chargeOf(CHEAP);
      const answer = await ask("fast", { stream });
      assert.equal(answer.status, 200);
      assert.match(await answer.text(), /"model":\s*"gpt-4o-mini"/);
      const log = await gateway.lastLog();
      assert.equal(log.model_name, CHEAP);
      if (!stream) assert.equal(log.quota, charge);
      const [entry] = await gateway.root.data(listLogs, { query: {} });
      const { detail } = await gateway.root.data(getLog, { params: { id: entry?.id ?? 0 } });
      assert.equal(detail?.alias, "fast");
    });
  }

  it("falls back to its next model when the first fails, also without retries, at that one's price", async () => {
    await setAliases({ fast: [CHEAP, DEAR] });
    const charge = await chargeOf(DEAR);
    cheap.setBehaviour({ kind: "refuse", status: 500 });
    const answer = await ask("fast");
    assert.equal(answer.status, 200);
    await answer.text();
    const log = await gateway.lastLog();
    assert.deepEqual([log.model_name, log.quota], [DEAR, charge]);
    const { charged, differences, open } = await gateway.books();
    assert.deepEqual([charged, differences, open], [charge * 2, 0, 0]);
    assert.equal((await ask(CHEAP)).status, 502, "the model itself has no fallback");
  });

  it("is compared by its models: requests, failures and times of each, and what went on to another one", async () => {
    await setAliases({ fast: [CHEAP, DEAR], [CHEAP]: [CHEAP, DEAR] });
    const charges = [await chargeOf("fast"), await chargeOf("fast")];
    await (await ask("fast", { stream: true })).text();
    await ask(DEAR);
    await ask(CHEAP);
    cheap.setBehaviour({ kind: "refuse", status: 500 });
    charges.push(await chargeOf("fast"));
    dear.setBehaviour({ kind: "refuse", status: 500 });
    assert.equal((await ask("fast")).status, 502);
    const { root } = gateway;
    await gateway.books();
    const period = { start: 0, end: 99_999_999_999 };
    const compare = async (alias: string) =>
      (await root.data(compareAlias, { query: { alias, ...period } })).models.map(({ model, usage, failed_over }) => [
        model,
        usage.requests,
        usage.errors,
        failed_over,
      ]);
    assert.deepEqual(await compare("fast"), [[CHEAP, 3, 0, 2], [DEAR, 2, 1, 0]]); // prettier-ignore
    assert.deepEqual(await compare(CHEAP), [[CHEAP, 1, 0, 0], [DEAR, 0, 0, 0]]); // prettier-ignore
    const { models } = await root.data(compareAlias, { query: { alias: "fast", ...period } });
    assert.equal(models[1]?.usage.quota, charges[2]);
    assert.ok((models[0]?.usage.first_byte_p50_ms ?? 0) > 0);
    assert.deepEqual([models[0]?.weight, models[0]?.is_listed], [null, true]);
    // A model that left the alias is compared still.
    await setAliases({ fast: { [DEAR]: 1, "gpt-4.1": 3 } });
    const later = (await root.data(compareAlias, { query: { alias: "fast", ...period } })).models;
    assert.deepEqual(
      later.map(({ model, weight, is_listed }) => [model, weight, is_listed]),
      [[DEAR, 0.25, true], ["gpt-4.1", 0.75, true], [CHEAP, null, false]], // prettier-ignore
    );
    const listed = await root.data(listLogs, { query: { alias: "fast" } });
    assert.equal(listed.length, 5);
    const { detail } = await root.data(getLog, { params: { id: listed[1]?.id ?? 0 } });
    assert.deepEqual(
      detail?.attempts.map(({ model, failure }) => [model, failure === ""]),
      [[CHEAP, false], [undefined, true]], // prettier-ignore
    );
  });

  it("falls back for a request that is too long, and for no other bad one", async () => {
    await setAliases({ fast: [CHEAP, DEAR] });
    cheap.setBehaviour({ kind: "refuse", status: 400, reason: "context-length-exceeded" });
    assert.equal((await ask("fast")).status, 200);
    cheap.setBehaviour({ kind: "refuse", status: 400 });
    assert.equal((await ask("fast")).status, 400);
  });

  it("tries the next model at the same channel", async () => {
    const both = await gateway.upstream();
    await gateway.addChannel(both, {
      name: "both",
      models: "first,second",
      model_mapping: '{"first":"no-such-model"}',
    });
    await setAliases({ pair: ["first", "second"] });
    both.setBehaviour({ kind: "refuse", status: 500 });
    assert.equal((await ask("pair")).status, 502);
    const { detail } = await gateway.lastLog();
    const attempts: unknown = recordOf(JSON.parse(detail))["attempts"];
    assert.ok(Array.isArray(attempts));
    assert.equal(attempts.length, 2);
  });

  it("may have the name of a model, which then has fallbacks", async () => {
    await setAliases({ [CHEAP]: [CHEAP, DEAR] });
    cheap.setBehaviour({ kind: "refuse", status: 503 });
    assert.equal((await ask(CHEAP)).status, 200);
    assert.equal((await gateway.lastLog()).model_name, DEAR);
  });

  it("serves while its first model has no channel, and is refused as one name when none has", async () => {
    await setAliases({ some: ["nowhere", DEAR], none: ["nowhere", "neither"] });
    assert.equal((await ask("some")).status, 200);
    const refused = await ask("none");
    assert.equal(refused.status, 404);
    assert.match((await errorOf(refused)).message, /the model none /);
  });

  it("draws its first model by weight", async () => {
    await setAliases({ ab: { [CHEAP]: 1, [DEAR]: 0 } });
    for (let call = 0; call < 5; call += 1) await ask("ab");
    assert.deepEqual(new Set((await gateway.books()).logs.map(({ model_name }) => model_name)), new Set([CHEAP]));
    await setAliases({ ab: { [CHEAP]: 0, [DEAR]: 1 } });
    await ask("ab");
    assert.equal((await gateway.lastLog()).model_name, DEAR);
  });

  it("gives a token its models only, unless the token names the alias", async () => {
    await setAliases({ fast: [CHEAP, DEAR] });
    cheap.setBehaviour({ kind: "refuse", status: 500 });
    const limited = await gateway.addToken({ name: "limited", models: CHEAP });
    assert.equal((await ask("fast", {}, limited)).status, 502, "not the dear one");
    const other = await gateway.addToken({ name: "other", models: "something-else" });
    const refused = await ask("fast", {}, other);
    assert.deepEqual([refused.status, (await errorOf(refused)).code], [403, "model_not_allowed"]);
    const named = await gateway.addToken({ name: "named", models: "fast" });
    assert.equal((await ask("fast", {}, named)).status, 200);
    assert.equal((await ask(DEAR, {}, named)).status, 403, "but not its models by their own names");
    const models = await gateway.sdk(named).models.list();
    assert.deepEqual(
      models.data.map(({ id }) => id),
      ["fast"],
    );
  });

  it("reserves for the dearest model", async () => {
    await setAliases({ fast: [CHEAP, DEAR] });
    const { client } = await gateway.testApp.logInAs("user", { quota: 1_000 });
    const poor = await gateway.addToken({ unlimited_quota: true }, client);
    const most = { max_tokens: 200 };
    assert.equal((await ask(CHEAP, most, poor)).status, 200);
    const refused = await ask("fast", most, poor);
    assert.deepEqual([refused.status, (await errorOf(refused)).code], [403, "insufficient_quota"]);
  });

  it("counts against the limits of its models", async () => {
    await setAliases({ fast: [CHEAP, DEAR] });
    await setOptions(gateway.testApp, {
      GroupLimits: JSON.stringify({ default: { models: { [CHEAP]: { rpm_limit: 2 } } } }),
    });
    const { client } = await gateway.testApp.logInAs("user", { quota: 10_000_000 });
    const token = await gateway.addToken({ remain_quota: 5_000_000 }, client);
    const statuses = [];
    for (const model of ["fast", CHEAP, "fast", CHEAP]) statuses.push((await ask(model, {}, token)).status);
    assert.deepEqual(statuses, [200, 200, 429, 429]);
  });

  it("is refused with the place of the mistake", async () => {
    for (const [text, part] of [
      ['{"fast": []}', "fast"],
      ['{"fast": {"a": 0}}', "fast"],
      ["{", "JSON"],
    ] as const) {
      const { envelope } = await gateway.root.send(updateOption, { body: { key: "ModelAliases", value: text } });
      assert.deepEqual([envelope?.success, envelope?.message.includes(`"${part}"`) || part === "JSON"], [false, true]);
    }
  });

  it("passes over models whose conditions do not hold, and is refused when none is left", async () => {
    await setAliases({
      smart: [
        { model: CHEAP, when: { prompt_to: 200, tools: false } },
        { model: DEAR, when: { images: false } },
      ],
    });
    const servedBy = async (more: Record<string, unknown>) => {
      const answer = await ask("smart", more);
      assert.equal(answer.status, 200, await answer.text());
      return (await gateway.lastLog()).model_name;
    };
    const tool = { type: "function", function: { name: "look", parameters: { type: "object", properties: {} } } };
    assert.equal(await servedBy({}), CHEAP);
    assert.equal(await servedBy({ tools: [tool] }), DEAR);
    assert.equal(await servedBy({ messages: [{ role: "user", content: "word ".repeat(400) }] }), DEAR);
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
    const refused = await ask("smart", { messages: [{ role: "user", content: [image] }] });
    const error = await errorOf(refused);
    assert.deepEqual([refused.status, error.code], [400, "alias_conditions"]);
    assert.match(
      error.message,
      /^No model of smart takes this request: it has about \d+ prompt tokens, no tools, images/,
    );
  });

  it("draws by weight among the models whose conditions hold", async () => {
    await setAliases({
      ab: [
        { model: CHEAP, weight: 1, when: { tools: true } },
        { model: DEAR, weight: 0 },
      ],
    });
    assert.equal((await ask("ab")).status, 200);
    assert.equal((await gateway.lastLog()).model_name, DEAR);
  });

  it("uses a model up to its price ceiling in the caller's group alone", async () => {
    // gpt-4o-mini costs $0.15 and $0.60, gpt-4o $2.50 and $10 per million tokens.
    const servedBy = async (first: object, fields: Record<string, unknown> = {}) => {
      await setAliases({ capped: [{ model: DEAR, when: first }, CHEAP] });
      const answer = await ask("capped", fields);
      assert.equal(answer.status, 200, await answer.text());
      return (await gateway.lastLog()).model_name;
    };
    assert.equal(await servedBy({ input_price_to: 2.5, output_price_to: 10 }), DEAR);
    assert.equal(await servedBy({ input_price_to: 2.49 }), CHEAP);
    assert.equal(await servedBy({ output_price_to: 9.99 }), CHEAP);
    const [entry] = await gateway.root.data(listLogs, { query: {} });
    const { detail } = await gateway.root.data(getLog, { params: { id: entry?.id ?? 0 } });
    assert.equal(detail?.attempts[0]?.choice?.passed[0]?.reason, "above-ceiling");
    await setOptions(gateway.testApp, { GroupRatio: '{"default":1.1,"vip":1}' });
    assert.equal(await servedBy({ input_price_to: 2.5 }), CHEAP);
    assert.equal(await servedBy({ input_price_to: 2.75 }), DEAR);
    assert.equal(await servedBy({ input_price_to: 2.75 }, { service_tier: "priority" }), CHEAP, "the tier's price");
    assert.equal(await servedBy({ input_price_to: 2.75 }, { service_tier: "flex" }), DEAR);
    await setAliases({ capped: [{ model: DEAR, when: { input_price_to: 0.1 } }] });
    const refused = await ask("capped");
    const error = await errorOf(refused);
    assert.deepEqual([refused.status, error.code], [400, "alias_conditions"]);
    assert.match(error.message, /^No model of capped takes this request: .*price ceilings/);
    await setOptions(gateway.testApp, { ModelPrices: JSON.stringify({ [DEAR]: { per_request: 0.0001 } }) });
    assert.equal(await servedBy({ input_price_to: 1_000 }), CHEAP, "a price per request has no price per token");
  });

  it("gives a model up that does not begin a stream in its time, at the next one's price", async () => {
    await setOptions(gateway.testApp, { RetryTimes: "3" });
    await setAliases({ quick: [{ model: CHEAP, first_token_ms: 300 }, DEAR] });
    const spare = await gateway.upstream();
    await gateway.addChannel(spare, { name: "spare", models: CHEAP, priority: -1 });
    for (const slow of [cheap, spare]) slow.setBehaviour({ kind: "slow", headersDelayMs: 60_000, chunkDelayMs: 0 });
    const answer = await ask("quick", { stream: true });
    assert.match(await answer.text(), /"model":\s*"gpt-4o"[^]*\[DONE\]/);
    const log = await gateway.lastLog();
    assert.equal(log.model_name, DEAR);
    const attempts: unknown = recordOf(JSON.parse(log.detail))["attempts"];
    assert.ok(Array.isArray(attempts));
    assert.equal(attempts.length, 2, "no other channel of the late model");
    assert.match(String(recordOf(attempts[0])["failure"]), /^timeout: .* within 0\.\d+ s, the deadline of the alias/);
    const { charged, differences, open } = await gateway.books();
    assert.deepEqual([charged, differences, open], [log.quota, 0, 0]);
    // The channel is as good as before: it serves the model as soon as it is quick again.
    for (const slow of [cheap, spare]) slow.setBehaviour({ kind: "normal" });
    await (await ask("quick", { stream: true })).text();
    assert.deepEqual([(await gateway.lastLog()).model_name, cheap.requests.length > 1], [CHEAP, true]);
  });

  it("waits for its last model, and for whole answers, as if there were no deadline", async () => {
    await setAliases({ slow: [DEAR, { model: CHEAP, first_token_ms: 100 }], first: [{ model: CHEAP, first_token_ms: 100 }, DEAR] }); // prettier-ignore
    dear.setBehaviour({ kind: "refuse", status: 500 });
    cheap.setBehaviour({ kind: "slow", headersDelayMs: 400, chunkDelayMs: 0 });
    assert.match(await (await ask("slow", { stream: true })).text(), /\[DONE\]/);
    assert.equal((await ask("first")).status, 200);
    assert.equal((await gateway.lastLog()).model_name, CHEAP);
  });

  for (const wrong of [
    [{ model: CHEAP, when: { input_price_to: -1 } }],
    [{ model: CHEAP, first_token_ms: 5 }],
    [{ model: CHEAP, when: { prompt: 5 } }],
    [{ model: CHEAP, when: { prompt_to: 0 } }],
    [CHEAP, { model: CHEAP, when: { tools: true } }],
    [{ model: CHEAP, weight: 0 }],
  ])
    it(`is refused with ${JSON.stringify(wrong)}`, async () => {
      const body = { key: "ModelAliases", value: JSON.stringify({ smart: wrong }) };
      const { status, envelope } = await gateway.root.send(updateOption, { body });
      assert.deepEqual([status, envelope?.field], [400, "value"]);
    });
});
