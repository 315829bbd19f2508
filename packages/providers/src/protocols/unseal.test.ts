import assert from "node:assert/strict";
import { test } from "node:test";
import { sealBeside, sealThoughts } from "../neutral/sealed-thoughts.ts";
import type { Format } from "../format.ts";
import { type JsonRecord, parseJson } from "../shared/json-fields.ts";
import { anthropicMessages } from "./anthropic-messages/anthropic-messages.ts";
import { geminiContent } from "./gemini/gemini.ts";
import { openAiResponses } from "./openai-responses/openai-responses.ts";

const thought = { type: "reasoning", text: "I ponder", signature: "" } as const;
const seal = sealThoughts([thought]);
const beside = sealBeside(thought);

function unseal(format: Format, body: JsonRecord, model = ""): JsonRecord {
  const edits = format.unseal?.(body, model) ?? new Map<string, string | undefined>();
  return Object.fromEntries([...edits].map(([name, value]) => [name, value === undefined ? null : parseJson(value)]));
}

test("Anthropic receives only its own thoughts, and no thinking budget for messages that lack them", () => {
  const own = { type: "thinking", thinking: "Hm.", signature: "c2ln" };
  const sealed = { type: "thinking", thinking: "I ponder", signature: beside };
  const hidden = { type: "redacted_thinking", data: seal };
  const call = { type: "tool_use", id: "c1", name: "f", input: { big: 1 } };
  const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "r" }] };
  const hi = { role: "user", content: "Hi" };
  const format = anthropicMessages("2023-06-01");
  const unsealed = (content: readonly JsonRecord[], thinking: JsonRecord) =>
    unseal(format, { messages: [hi, { role: "assistant", content }, result], thinking });
  const budget = { type: "enabled", budget_tokens: 2_000 };
  const without = { messages: [hi, { role: "assistant", content: [call] }, result] };
  assert.deepEqual(unsealed([sealed, hidden, call], { type: "adaptive" }), without);
  assert.deepEqual(unsealed([sealed, hidden, call], budget), { ...without, thinking: null });
  assert.deepEqual(unsealed([own, hidden, call], budget), {
    messages: [hi, { role: "assistant", content: [own, call] }, result],
  });
  assert.deepEqual(unseal(format, { messages: [hi, { role: "assistant", content: [sealed] }, hi] }), {
    messages: [hi, hi],
  });
});

test("OpenAI receives only its own thoughts", () => {
  const own = { type: "reasoning", summary: [], encrypted_content: "c2ln" };
  const call = { type: "function_call", call_id: "c1", name: "f", arguments: "{}" };
  const input = [{ role: "user", content: "Hi" }, own, call];
  const sealed = { type: "reasoning", summary: [], encrypted_content: seal };
  assert.deepEqual(unseal(openAiResponses, { input: [...input, sealed] }), { input });
  assert.deepEqual(unseal(openAiResponses, { input: seal }), {});
});

test("Gemini receives only its own thoughts, and replacements for signatures", () => {
  const user = { role: "user", parts: [{ text: "Hi" }] };
  const call = { functionCall: { id: "c1", name: "f", args: {} } };
  const parts = [
    { text: "I ponder", thought: true },
    { ...call, thoughtSignature: seal },
    { text: "", thoughtSignature: seal },
  ];
  const own = {
    role: "model",
    parts: [
      { text: "Hm.", thought: true },
      { ...call, thoughtSignature: "c2ln" },
    ],
  };
  const unsealed = (model: string, signature: JsonRecord) =>
    assert.deepEqual(unseal(geminiContent, { contents: [user, own, { role: "model", parts }] }, model), {
      contents: [user, own, { role: "model", parts: [{ ...call, ...signature }] }],
    });
  unsealed("gemini-3.1-pro", { thoughtSignature: "skip_thought_signature_validator" });
  unsealed("gemini-2.5-flash", {});
  const snake = { role: "model", parts: [{ text: "Hi", thought_signature: seal }] };
  assert.deepEqual(unseal(geminiContent, { contents: [user, snake] }), {
    contents: [user, { role: "model", parts: [{ text: "Hi" }] }],
  });
});
