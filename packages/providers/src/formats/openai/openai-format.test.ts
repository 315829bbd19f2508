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
      JSON.parse(value),
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

test("an answer of a dearer tier costs more, and a request for one is bounded by the dearest", () => {
  const usage = { prompt_tokens: 1, completion_tokens: 1 };
  const factorOf = (model: string, service_tier: string) =>
    format.readUsage({ model, service_tier, usage })?.priceFactor ?? 0;
  assert.deepEqual(
    [factorOf("gpt-4.1-2025-04-14", "priority"), factorOf("gpt-5", "fast"), factorOf("gpt-6-astra", "fast")],
    [1.75, 2, 2.5],
  );
  assert.equal(factorOf("gpt-5", "default"), 1);
  for (const model of ["gpt-4o", "gpt-5-mini", "o3", "gpt-5.5"]) {
    assert.ok(factorOf(model, "priority") <= mostOfTier({ service_tier: "priority" }));
  }
  assert.equal(mostOfTier({ service_tier: "auto" }), 1);
});
