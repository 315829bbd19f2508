import assert from "node:assert/strict";
import { test } from "node:test";
import { modelFacts } from "./model-facts.ts";

const known: readonly (readonly [model: string, context: number | undefined, abilities: readonly string[]])[] = [
  ["gpt-4o", 128_000, ["images", "tools"]],
  ["openai/gpt-4o", 128_000, ["images", "tools"]],
  ["text-embedding-3-small", 8_192, ["embeddings"]],
  ["claude-opus-4-5", 200_000, ["images", "tools", "reasoning"]],
  ["anthropic/claude-3-5-haiku-latest", 200_000, ["images", "tools"]],
  ["deepseek-chat", 64_000, ["tools"]],
  ["deepseek-reasoner", 64_000, ["tools", "reasoning"]],
  ["gemini-2.5-flash", 1_048_576, ["images", "audio", "tools", "reasoning"]],
  ["nobody-knows-it", undefined, []],
];

for (const [model, context, abilities] of known) {
  test(`${model} reads and writes ${context ?? "nobody knows how many"} tokens and can do ${abilities.join(", ")}`, () => {
    const facts = modelFacts(model);
    assert.deepEqual([facts.contextTokens, facts.abilities], [context, abilities]);
  });
}

test("only models of embeddings, rankings and judgements have no output tokens", () => {
  const inputOnly = (models: readonly string[]) => models.filter((model) => modelFacts(model).isInputOnly);
  const those = [
    "text-embedding-3-small",
    "gemini-embedding-001",
    "BAAI/bge-m3",
    "jina-reranker-v2-base-multilingual",
    "rerank-v3.5",
    "omni-moderation-latest",
  ];
  assert.deepEqual(inputOnly(those), those);
  const others = ["gpt-4o", "gpt-4o-mini-tts", "gpt-4o-transcribe", "gpt-image-1", "whisper-1", "nobody-knows-it"];
  assert.deepEqual(inputOnly(others), []);
});

test("models that only speak, transcribe, draw, embed or judge do not chat", () => {
  const chatting = (names: readonly string[]) => names.filter((model) => modelFacts(model).chats);
  const others = ["gpt-4o-mini-tts", "gpt-4o-transcribe", "gpt-image-1-mini", "gpt-realtime", "rerank-v3.5", "bge-m3"];
  assert.deepEqual(chatting(others), []);
  const chats = ["gpt-4o-mini", "gpt-5.2-pro", "claude-haiku-4-5", "gemini-2.5-flash-lite", "nobody-knows-it"];
  assert.deepEqual(chatting(chats), chats);
});

test("models that answer chats with pictures are recognized by name or price", () => {
  const drawing = [
    "gemini-2.5-flash-image",
    "gemini-3-pro-image-preview",
    "google/gemini-2.5-flash-image",
    "openai/gpt-5-image",
    "gpt-image-1",
  ];
  assert.deepEqual(
    drawing.filter((model) => modelFacts(model).drawsInChats),
    drawing,
  );
  const others = ["gpt-4o", "gemini-2.5-flash", "claude-opus-4-5", "gemini-embedding-001", "nobody-knows-it"];
  assert.deepEqual(
    others.filter((model) => modelFacts(model).drawsInChats),
    [],
  );
});
