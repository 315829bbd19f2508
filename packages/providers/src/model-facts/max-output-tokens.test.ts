import assert from "node:assert/strict";
import { test } from "node:test";
import { maxOutputTokens } from "./max-output-tokens.ts";

test("OpenAI's models, Claude and models that refuse longer answers have output limits, others none", () => {
  assert.equal(maxOutputTokens("gpt-4o"), 16_384);
  assert.equal(maxOutputTokens("gpt-4o-2024-05-13"), 4_096);
  assert.equal(maxOutputTokens("openai/gpt-4.1"), 32_768);
  assert.equal(maxOutputTokens("claude-3-haiku-20240307"), 4_096);
  assert.equal(maxOutputTokens("claude-3-5-sonnet-latest"), 8_192);
  assert.equal(maxOutputTokens("claude-opus-4-20250514"), 32_000);
  assert.equal(maxOutputTokens("anthropic/claude-sonnet-4-5"), 64_000);
  assert.equal(maxOutputTokens("ERNIE-4.0-8K"), 2_048);
  assert.equal(maxOutputTokens("ernie-speed-128k"), 4_096);
  assert.equal(maxOutputTokens("ernie-4.5-turbo-128k"), 12_288);
  assert.equal(maxOutputTokens("ernie-5.0-thinking-preview"), undefined);
  assert.equal(maxOutputTokens("claude-opus-5"), undefined);
  assert.equal(maxOutputTokens("constructor"), undefined);
});
