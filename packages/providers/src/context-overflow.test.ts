import assert from "node:assert/strict";
import { test } from "node:test";
import { findOverflow } from "./context-overflow.ts";

const sentences: readonly (readonly [
  provider: string,
  message: string,
  tokens?: number | undefined,
  limit?: number,
])[] = [
  [
    "OpenAI",
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 213462 tokens. Please reduce the length of the messages.",
    213_462,
    128_000,
  ],
  [
    "vLLM",
    "This model's maximum context length is 40960 tokens. However, you requested 50000 tokens (49000 in the messages).",
    50_000,
    40_960,
  ],
  [
    "OpenRouter",
    "This endpoint's maximum context length is 1048576 tokens. However, you requested about 1293741 tokens.",
    1_293_741,
    1_048_576,
  ],
  ["OpenAI's Responses API", "Your input exceeds the context window of this model. Please adjust your input."],
  ["Anthropic", "prompt is too long: 213462 tokens > 200000 maximum", 213_462, 200_000],
  [
    "Anthropic with a limit",
    "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000",
    undefined,
    200_000,
  ],
  [
    "Google",
    "The input token count (1250000) exceeds the maximum number of tokens allowed (1048576).",
    1_250_000,
    1_048_576,
  ],
  [
    "Google's older words",
    "The input token count exceeds the maximum number of tokens allowed 1048576.",
    undefined,
    1_048_576,
  ],
  ["Bedrock", "Input is too long for requested model."],
  ["Bedrock's Nova", "Too many input tokens. Max input tokens: 128000, request input token count: 130000"],
  ["xAI", "This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 537_812, 131_072],
  [
    "Mistral",
    "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    40_000,
    32_768,
  ],
  ["Groq", "Please reduce the length of the messages or completion."],
  ["Cohere", "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292.", 4_292, 4_081],
  ["Cohere in other words", "too many tokens: size limit exceeded by 11326 tokens."],
  ["Alibaba", "Range of input length should be [1, 30720]", undefined, 30_720],
  ["Moonshot", "Invalid request: Your request exceeded model token limit: 8192 (requested: 9000)", 9_000, 8_192],
  ["SiliconFlow", "length of prompt_tokens (40000) must be less than max_seq_len (32768).", 40_000, 32_768],
  ["SGLang", "The input (50000 tokens) is longer than the model's context length (32768 tokens).", 50_000, 32_768],
  [
    "llama.cpp",
    "request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it",
    9_000,
    4_096,
  ],
  ["LM Studio", "The number of tokens to keep from the initial prompt is greater than the context length."],
  ["Ollama", "the input length exceeds the context length"],
  [
    "text-generation-inference",
    "`inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000 `inputs` tokens",
    5_000,
    4_097,
  ],
  [
    "Cloudflare",
    "The estimated number of input and maximum output tokens (9000) exceeded this model context window limit (8192).",
    9_000,
    8_192,
  ],
  ["MiniMax", "invalid params, context window exceeds limit"],
  ["Baidu", "Prompt tokens too long"],
  ["Zhipu", "Prompt 超长"],
  ["Spark", "token数量超过上限,请减少输入"],
];

for (const [provider, message, tokens, limit] of sentences) {
  test(`an overflow of ${provider} is recognized`, () => {
    assert.deepEqual(findOverflow({ code: "", type: "", message }), { tokens, limit });
  });
}

test("a code or a type means an overflow with any message", () => {
  const unknown = { tokens: undefined, limit: undefined };
  for (const code of ["context_length_exceeded", "exceed_context_size_error", "tokens_too_long", "1261"]) {
    assert.deepEqual(findOverflow({ code, type: "", message: "No." }), unknown, code);
    assert.deepEqual(findOverflow({ code: "", type: code, message: "No." }), unknown, code);
  }
});

test("limits of an account or an answer are no overflow", () => {
  for (const message of [
    "Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 9000, please reduce your message size and try again.",
    "Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 3000.",
    "Too many tokens, please wait before trying again.",
    "too many tokens: max tokens must be less than or equal to 4096, the maximum output for this model - received 8192.",
    "max_tokens is too large: 300000. This model supports at most 16384 completion tokens.",
    "'max_tokens' or 'max_completion_tokens' is too large: 100000. This model's maximum context length is 40960 tokens and your request has 20 input tokens.",
    "Invalid 'messages': array too long.",
  ]) {
    assert.equal(findOverflow({ code: "", type: "", message }), undefined, message);
  }
});

test("a malicious message is read in linear time", () => {
  const message = `maximum context length is ${"9".repeat(100_000)} ${"you requested ".repeat(10_000)}`;
  const began = performance.now();
  findOverflow({ code: "", type: "", message: message.slice(0, 2_000) });
  assert.ok(performance.now() - began < 1_000);
});
