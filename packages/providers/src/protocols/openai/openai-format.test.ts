import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestEdits } from "../../format.ts";
import { openAiFormat } from "./openai-format.ts";
import { mostOfTier } from "./service-tier.ts";

const format = openAiFormat("openai-chat", { limitField: "max_completion_tokens", streamUsage: "on-request" });
const none: RequestEdits = { model: "m", systemPrompt: "", maxTokens: undefined, reportUsage: false };
const user = { role: "user", content: "Hi" };
const edit = (body: Readonly<Record<string, unknown>>, edits: Partial<RequestEdits>) =>
  Object.fromEntries(
    [...format.edit({ model: "m", messages: [user], ...body }, { ...none, ...edits })].map(([name, value]) => [
      name,
      JSON.parse(value ?? ""),
    ]),
  );

test("a request without edits is unchanged", () => {
  assert.deepEqual(edit({}, {}), {});
});

test("the model, the usage report and the limit are set", () => {
  assert.deepEqual(edit({ stream_options: { include_obfuscation: false } }, { model: "x", reportUsage: true }), {
    model: "x",
    stream_options: { include_obfuscation: false, include_usage: true },
  });
  assert.deepEqual(edit({}, { maxTokens: 7 }), { max_completion_tokens: 7 });
});

test("a limit replaces every limit of the caller", () => {
  assert.deepEqual(edit({ max_tokens: 9, max_completion_tokens: 8 }, { maxTokens: 7 }), {
    max_tokens: 7,
    max_completion_tokens: 7,
  });
  assert.deepEqual(edit({ max_tokens: 9 }, { maxTokens: 7 }), { max_tokens: 7 });
});

test("a usage report is requested if the provider accepts the option", () => {
  const always = openAiFormat("openai-chat", { limitField: "max_tokens", streamUsage: "always" });
  assert.deepEqual([...always.edit({ model: "m", messages: [user] }, { ...none, reportUsage: true })], []);
});

test("a system prompt is put first, or replaces the existing one", () => {
  const prompt = "Be brief.";
  assert.deepEqual(edit({}, { systemPrompt: prompt }), { messages: [{ role: "system", content: prompt }, user] });
  const body = { messages: [{ role: "developer", content: "Be long." }, user] };
  assert.deepEqual(edit(body, { systemPrompt: prompt }), {
    messages: [{ role: "developer", content: prompt }, user],
  });
  assert.equal(format.systemPromptEffect(body), "replaced");
  const completions = openAiFormat("openai-completions", { limitField: "max_tokens", streamUsage: "always" });
  assert.equal(completions.systemPromptEffect({ prompt: "Hi" }), undefined);
  assert.deepEqual([...completions.edit({ model: "m", prompt: "Hi" }, { ...none, systemPrompt: prompt })], []);
});

test("an answer of another tier has the published price, and a request for a more expensive tier has the highest as its upper bound", () => {
  const usage = { prompt_tokens: 1, completion_tokens: 1 };
  const factorOf = (model: string, service_tier: string) =>
    format.readUsage({ model, service_tier, usage })?.priceFactor;
  /** Published dollars per million input tokens: usual, fast, flex. */
  const published: readonly (readonly [model: string, usual: number, fast: number | undefined, flex: number])[] = [
    ["gpt-4.1-2025-04-14", 2, 3.5, 2],
    ["o3", 2, 3.5, 1],
    ["gpt-4o-2024-11-20", 2.5, 4.25, 2.5],
    ["gpt-5-mini", 0.25, 0.45, 0.125],
    ["gpt-5", 1.25, 2.5, 0.625],
    ["gpt-5.4-mini", 0.75, 1.5, 0.375],
    ["gpt-5.5", 5, 12.5, 2.5],
    ["gpt-5.6-sol", 4, 8, 2],
    ["openai/gpt-5.6-luna", 0.2, 0.4, 0.1],
    ["gpt-6-luna", 0.1, 0.2, 0.05],
    ["gpt-6-astra", 10, 20, 5],
    ["gpt-6-sol", 2, 4, 1],
    ["gpt-6.1-sol", 2, 4, 1],
    ["gpt-6.2-sol", 2, 4, 2],
    ["gpt-6.2-astra", 10, 20, 10],
    ["openai/gpt-oss-120b", 0.15, undefined, 0.15],
    ["llama-3.3-70b-versatile", 0.59, undefined, 0.59],
  ];
  for (const [model, usual, fast, flex] of published) {
    const dear = factorOf(model, "priority") ?? 0;
    assert.equal(dear, factorOf(model, "fast"));
    assert.equal(dear, fast === undefined ? 2.5 : fast / usual, model);
    assert.equal(mostOfTier({ service_tier: "priority" }, model), dear);
    assert.equal(factorOf(model, "flex"), flex / usual, model);
    assert.equal(factorOf(model, "default"), 1);
  }
  for (const tier of ["auto", "default", "flex", null, undefined])
    assert.equal(mostOfTier({ service_tier: tier }, "gpt-5"), 1);
});

test("the fastest tier and unknown tiers cost six times as much, except for one model until March 2027", () => {
  const usage = { prompt_tokens: 1, completion_tokens: 1 };
  for (const service_tier of ["ultrafast", "some-new-tier", "performance", 7]) {
    for (const model of ["gpt-6-astra", "gpt-6.1-sol", "gpt-5", "llama-3.3-70b-versatile"]) {
      assert.equal(format.readUsage({ model, service_tier, usage })?.priceFactor, 6);
      assert.equal(mostOfTier({ service_tier }, model), 6);
    }
    assert.equal(format.readUsage({ model: "m", usage: { ...usage, service_tier } })?.priceFactor, 6);
  }
  const solAt = (date: string) => mostOfTier({ service_tier: "ultrafast" }, "gpt-6.2-sol", new Date(date));
  assert.deepEqual([solAt("2027-03-01T07:59:59Z"), solAt("2027-03-01T08:00:00Z")], [3, 6]);
});

test("a stream has the price of the tier that any of its events names", () => {
  const meterOf = (events: readonly object[]) => {
    const meter = format.meter({ passUsage: true, countText: (text) => text.length });
    for (const event of events)
      meter.look(Buffer.from(`data: ${JSON.stringify({ model: "gpt-6-astra", ...event })}\n\n`));
    return meter;
  };
  const piece = { choices: [{ index: 0, delta: { content: "Hi" } }] };
  const report = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } };
  for (const service_tier of ["ultrafast", "some-new-tier"]) {
    assert.equal(meterOf([{ ...piece, service_tier }, report]).usage?.priceFactor, 6);
    assert.equal(meterOf([piece, { ...report, service_tier }]).usage?.priceFactor, 6);
    assert.equal(meterOf([{ ...piece, service_tier }]).beside?.priceFactor, 6);
  }
  assert.deepEqual(meterOf([piece, report]).usage?.namesTier, false);
});

test("cache writes for twelve hours are counted separately", () => {
  const usage = { prompt_tokens: 100, completion_tokens: 1, prompt_tokens_details: { cache_write_tokens: 80 } };
  const writesOf = (answer: object) => {
    const read = format.readUsage({ usage, ...answer });
    return [read?.cacheWriteTokens, read?.longCacheWriteTokens];
  };
  const details = { cache_write_tokens: 80, cache_write_tokens_details: { ttl_12h_tokens: 30, ttl_30m_tokens: 50 } };
  assert.deepEqual(writesOf({}), [80, 0]);
  assert.deepEqual(writesOf({ usage: { ...usage, prompt_tokens_details: details } }), [50, 30]);
  assert.deepEqual(writesOf({ prompt_cache_options: { ttl: "12h" } }), [0, 80]);
  assert.deepEqual(writesOf({ prompt_cache_options: { ttl: "30m" } }), [80, 0]);
});

test("a model with built-in search costs a search beside its tokens", () => {
  const usage = { prompt_tokens: 1, completion_tokens: 1 };
  const feesOf = (model: string) => format.readUsage({ model, usage })?.toolFees;
  assert.deepEqual(["gpt-4o-search-preview-2025-03-11", "gpt-5-search-api", "gpt-5"].map(feesOf), [50, 20, 0]);
});

test("the role developer becomes system if the provider does not know it, and other messages are unchanged", () => {
  const older = openAiFormat("openai-chat", {
    limitField: "max_tokens",
    streamUsage: "always",
    developerRole: false,
  });
  const body = { model: "m", messages: [{ role: "developer", name: "d", content: "Be brief." }, user] };
  const renamed = [{ role: "system", name: "d", content: "Be brief." }, user];
  assert.deepEqual(JSON.parse(older.edit(body, none).get("messages") ?? ""), renamed);
  const prompted = older.edit(body, { ...none, systemPrompt: "Be long." }).get("messages") ?? "";
  assert.deepEqual(JSON.parse(prompted), [{ ...renamed[0], content: "Be long." }, user]);
  assert.deepEqual([older.rewritesWhole?.(body), older.rewritesWhole?.({ messages: [user] })], [true, false]);
  assert.equal(older.edit({ model: "m", messages: [user] }, none).size, 0);
  assert.equal(format.edit(body, none).size, 0);
});
