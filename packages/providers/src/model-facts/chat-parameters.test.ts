import assert from "node:assert/strict";
import { test } from "node:test";
import { chatParameters } from "./chat-parameters.ts";

const SAMPLED = ["temperature", "top_p", "max_tokens"];

const known: readonly (readonly [model: string, parameters: readonly string[] | undefined])[] = [
  ["gpt-4o", ["images", "tools", ...SAMPLED, "json"]],
  ["openai/gpt-4o", ["images", "tools", ...SAMPLED, "json"]],
  ["gpt-5", ["images", "tools", "max_tokens", "json", "reasoning_effort"]],
  ["gpt-5-chat-latest", ["images", "tools", ...SAMPLED, "json"]],
  ["gpt-oss-120b", ["tools", ...SAMPLED, "json", "reasoning_effort"]],
  ["claude-opus-4-5", ["images", "tools", ...SAMPLED, "reasoning_effort"]],
  ["claude-3-5-haiku-latest", ["images", "tools", ...SAMPLED]],
  ["gemini-2.5-flash", ["images", "tools", ...SAMPLED, "json", "reasoning_effort"]],
  ["nobody-knows-it", ["images", "tools", ...SAMPLED, "json"]],
  ["text-embedding-3-small", undefined],
  ["bge-m3", undefined],
  ["gpt-5-pro", undefined],
  ["tts-1-hd", undefined],
  ["omni-moderation-latest", undefined],
];

for (const [model, parameters] of known) {
  test(`a request for ${model} may hold ${parameters?.join(", ") ?? "no chat"}`, () => {
    assert.deepEqual(chatParameters(model), parameters);
  });
}
