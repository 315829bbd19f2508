import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_USAGE, type Usage } from "../../usage.ts";
import { readUsage } from "./read-usage.ts";

const cases: readonly (readonly [what: string, answer: unknown, usage: Partial<Usage> | undefined])[] = [
  [
    "a chat answer",
    { usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 } },
    { promptTokens: 5, completionTokens: 7 },
  ],
  ["an explicit zero", { usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } }, {}],
  ["a prompt beyond all counts", { usage: { prompt_tokens: 2 ** 53, completion_tokens: 1 } }, undefined],
  ["a prompt as a text", { usage: { prompt_tokens: "12", completion_tokens: 1 } }, undefined],
  ["an answer below zero", { usage: { prompt_tokens: 12, completion_tokens: -1 } }, undefined],
  ["an answer that is null", { usage: { prompt_tokens: 12, completion_tokens: null } }, { promptTokens: 12 }],
  ["an embedding", { usage: { prompt_tokens: 8, total_tokens: 8 } }, { promptTokens: 8 }],
  ["an embedding with only a total", { usage: { total_tokens: 8 } }, { promptTokens: 8 }],
  ["a total beside zeros", { usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 8 } }, { promptTokens: 8 }],
  ["a prompt and a total", { usage: { prompt_tokens: 8, total_tokens: 10 } }, { promptTokens: 8, completionTokens: 2 }],
  [
    "a completion and a total",
    { usage: { completion_tokens: 2, total_tokens: 10 } },
    { promptTokens: 8, completionTokens: 2 },
  ],
  [
    "a total that is too small",
    { usage: { prompt_tokens: 8, completion_tokens: 2, total_tokens: 1 } },
    { promptTokens: 8, completionTokens: 2 },
  ],
  [
    "the names of the Responses API",
    { usage: { input_tokens: 3, output_tokens: 4, input_tokens_details: { cached_tokens: 1 } } },
    { promptTokens: 3, completionTokens: 4, cachedTokens: 1 },
  ],
  [
    "OpenAI's details",
    {
      usage: {
        prompt_tokens: 100,
        completion_tokens: 50,
        total_tokens: 150,
        prompt_tokens_details: { cached_tokens: 64, audio_tokens: 10, image_tokens: 20 },
        completion_tokens_details: { reasoning_tokens: 30, audio_tokens: 5 },
      },
    },
    {
      promptTokens: 100,
      completionTokens: 50,
      cachedTokens: 64,
      audioPromptTokens: 10,
      imagePromptTokens: 20,
      reasoningTokens: 30,
      audioCompletionTokens: 5,
    },
  ],
  [
    "cached audio where the provider says how much of it there is",
    {
      usage: {
        prompt_tokens: 100,
        completion_tokens: 0,
        prompt_tokens_details: { cached_tokens: 50, audio_tokens: 60, cached_tokens_details: { audio_tokens: 20 } },
      },
    },
    { promptTokens: 100, cachedTokens: 30, cachedAudioTokens: 20, audioPromptTokens: 40 },
  ],
  [
    "cached tokens that must be audio, since the prompt has no room for both",
    {
      usage: {
        prompt_tokens: 100,
        completion_tokens: 0,
        prompt_tokens_details: { cached_tokens: 80, audio_tokens: 50 },
      },
    },
    { promptTokens: 100, cachedTokens: 50, cachedAudioTokens: 30, audioPromptTokens: 20 },
  ],
  [
    "DeepSeek's cache hits",
    { usage: { prompt_tokens: 100, completion_tokens: 1, prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36 } },
    { promptTokens: 100, completionTokens: 1, cachedTokens: 64 },
  ],
  [
    "Moonshot's cached_tokens",
    { usage: { prompt_tokens: 100, completion_tokens: 1, cached_tokens: 50 } },
    { promptTokens: 100, completionTokens: 1, cachedTokens: 50 },
  ],
  [
    "Moonshot's usage in a choice",
    { choices: [{ usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 } }] },
    { promptTokens: 9, completionTokens: 2 },
  ],
  [
    "OpenRouter's cache writes",
    {
      usage: {
        prompt_tokens: 100,
        completion_tokens: 1,
        prompt_tokens_details: { cached_tokens: 10, cache_write_tokens: 20 },
      },
    },
    { promptTokens: 100, completionTokens: 1, cachedTokens: 10, cacheWriteTokens: 20 },
  ],
  [
    "Groq's x_groq alone",
    { x_groq: { usage: { prompt_tokens: 4, completion_tokens: 6 } } },
    { promptTokens: 4, completionTokens: 6 },
  ],
  [
    "reasoning beside the completion",
    {
      usage: {
        prompt_tokens: 12,
        completion_tokens: 1,
        total_tokens: 241,
        completion_tokens_details: { reasoning_tokens: 228 },
      },
    },
    { promptTokens: 12, completionTokens: 229, reasoningTokens: 228 },
  ],
  [
    "cache reads beside the prompt",
    { usage: { prompt_tokens: 12, completion_tokens: 1, total_tokens: 113, cache_read_input_tokens: 100 } },
    { promptTokens: 112, completionTokens: 1, cachedTokens: 100 },
  ],
  [
    "parts that exceed their total",
    {
      usage: {
        prompt_tokens: 10,
        completion_tokens: 3,
        prompt_tokens_details: { cached_tokens: 8, audio_tokens: 50 },
        completion_tokens_details: { reasoning_tokens: 9 },
      },
    },
    { promptTokens: 10, completionTokens: 3, cachedAudioTokens: 8, audioPromptTokens: 2, reasoningTokens: 3 },
  ],
  [
    "numbers that are none",
    { usage: { prompt_tokens: -4, completion_tokens: "7", total_tokens: 5 } },
    { promptTokens: 5 },
  ],
  ["null", { usage: null, choices: [] }, undefined],
  ["an empty report", { usage: {} }, undefined],
  ["no report", { choices: [{ delta: { content: "x" } }] }, undefined],
  ["no object", "usage", undefined],
];

for (const [what, answer, usage] of cases) {
  test(`usage of ${what}`, () => {
    assert.deepEqual(readUsage(answer), usage === undefined ? undefined : { ...NO_USAGE, ...usage });
  });
}

test("a bare total is split by the local count of the prompt", () => {
  const { promptTokens, completionTokens } = readUsage({ usage: { total_tokens: 30 } }, 12) ?? NO_USAGE;
  assert.deepEqual([promptTokens, completionTokens], [12, 18]);
  assert.equal(readUsage({ usage: { total_tokens: 30 } }, 99)?.promptTokens, 30);
});
