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

test("nothing is changed where nothing has to be", () => {
  assert.deepEqual(edit({}, {}), {});
});

test("the model, the report of usage and the limit are set", () => {
  assert.deepEqual(edit({ stream_options: { include_obfuscation: false } }, { model: "x", reportUsage: true }), {
    model: "x",
    stream_options: { include_obfuscation: false, include_usage: true },
  });
  assert.deepEqual(edit({}, { maxTokens: 7 }), { max_completion_tokens: 7 });
});

test("a limit takes the place of every limit that the caller wrote", () => {
  assert.deepEqual(edit({ max_tokens: 9, max_completion_tokens: 8 }, { maxTokens: 7 }), {
    max_tokens: 7,
    max_completion_tokens: 7,
  });
  assert.deepEqual(edit({ max_tokens: 9 }, { maxTokens: 7 }), { max_tokens: 7 });
});

test("a report of usage is asked for where the provider takes the question", () => {
  const always = openAiFormat("openai-chat", { limitField: "max_tokens", streamUsage: "always" });
  assert.deepEqual([...always.edit({ model: "m", messages: [user] }, { ...none, reportUsage: true })], []);
});

test("a system prompt goes in front, or takes the place of the one that is there", () => {
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

test("an answer of another tier costs what the vendor's page says, and a request for a dearer one is bounded by the dearest", () => {
  const usage = { prompt_tokens: 1, completion_tokens: 1 };
  const factorOf = (model: string, service_tier: string) =>
    format.readUsage({ model, service_tier, usage })?.priceFactor;
  /** Dollars per million input tokens as they are published: usual, fast, flex. */
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
    ["gpt-6-astra", 10, undefined, 5],
    ["openai/gpt-oss-120b", 0.15, undefined, 0.15],
    ["llama-3.3-70b-versatile", 0.59, undefined, 0.59],
  ];
  for (const [model, usual, fast, flex] of published) {
    const dear = factorOf(model, "priority") ?? 0;
    assert.equal(dear, factorOf(model, "fast"));
    assert.equal(dear, fast === undefined ? 2.5 : fast / usual, model);
    assert.ok(dear <= mostOfTier({ service_tier: "priority" }));
    assert.equal(factorOf(model, "flex"), flex / usual, model);
    assert.equal(factorOf(model, "default"), 1);
  }
  assert.deepEqual([mostOfTier({ service_tier: "auto" }), mostOfTier({ service_tier: "flex" })], [1, 1]);
});

test("a model that searches by itself costs a search beside its tokens", () => {
  const usage = { prompt_tokens: 1, completion_tokens: 1 };
  const feesOf = (model: string) => format.readUsage({ model, usage })?.toolFees;
  assert.deepEqual(["gpt-4o-search-preview-2025-03-11", "gpt-5-search-api", "gpt-5"].map(feesOf), [50, 20, 0]);
});
