import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { imageFactor } from "./image-prices.ts";
import { defaultPrice } from "./default-price.ts";

const now = new Date("2026-11-21T10:00:00Z");

const known: readonly (readonly [
  model: string,
  type: ChannelType | undefined,
  input: string,
  output: string,
  rest?: object,
])[] = [
  ["gpt-4o", 1, "2.5", "10", { cachedInput: "1.25" }],
  ["gpt-4o-2024-11-20", 7, "2.5", "10", { cachedInput: "1.25" }],
  ["gpt-4o-mini", undefined, "0.15", "0.6", { cachedInput: "0.075" }],
  ["gpt-4.1", 3, "2", "8", { cachedInput: "0.5" }],
  ["gpt-5", 1, "1.25", "10", { cachedInput: "0.125" }],
  [
    "gpt-5.4",
    1,
    "2.5",
    "15",
    { cachedInput: "0.25", steps: [{ above: 271_999, input: "5", output: "22.5", cachedInput: "0.5" }] },
  ],
  ["o3", 1, "2", "8", { cachedInput: "0.5" }],
  ["gpt-audio", 1, "2.5", "10", { audioInput: "32", audioOutput: "64" }],
  ["gpt-4o-audio-preview", 1, "2.5", "10", { audioInput: "40", audioOutput: "80" }],
  ["gpt-4o-audio-preview-2024-10-01", 1, "2.5", "10", { audioInput: "100", audioOutput: "200" }],
  ["gpt-4o-mini-audio-preview-2024-12-17", 8, "0.15", "0.6", { audioInput: "10", audioOutput: "20" }],
  ["perplexity/sonar-deep-research", 20, "2", "8", { reasoning: "3" }],
  ["text-embedding-3-small", 1, "0.02", "0"],
  ["embed-v4.0", 35, "0.12", "0"],
  [
    "claude-sonnet-4-5",
    14,
    "3",
    "15",
    {
      cachedInput: "0.3",
      cacheWrite: "3.75",
      longCacheWrite: "6",
      steps: [
        {
          above: 200_000,
          input: "6",
          output: "22.5",
          cachedInput: "0.6",
          cacheWrite: "7.5",
          longCacheWrite: "12",
        },
      ],
    },
  ],
  ["claude-opus-4-5", 8, "5", "25", { cachedInput: "0.5", cacheWrite: "6.25", longCacheWrite: "10" }],
  ["claude-opus-5-5", 42, "4", "20", { cachedInput: "0.2", cacheWrite: "5" }],
  ["gemini-2.5-flash", 24, "0.3", "2.5", { cachedInput: "0.03", audioInput: "1", cachedAudio: "0.1" }],
  ["grok-4", 45, "3", "15", { cachedInput: "0.75" }],
  ["kimi-k3", 25, "3", "15", { cachedInput: "0.3" }],
  ["mistral-large-2512", 28, "0.5", "1.5", { cachedInput: "0.05" }],
  ["deepseek-chat", 36, "0.27", "1.1", { cachedInput: "0.07", simplified: ["dearest-hours"] }],
  ["deepseek-v4-pro", 36, "1.32", "3.96", { cachedInput: "0.044", simplified: ["dearest-hours"] }],
  ["openai/gpt-4o-mini", 20, "0.15", "0.6", { cachedInput: "0.075" }],
  ["glm-5", 16, "0.552", "2.483", { cachedInput: "0.138" }],
];

for (const [model, type, input, output, rest] of known) {
  test(`${model} of type ${type ?? "any"} costs $${input} and $${output}`, () => {
    const { source, ...price } = defaultPrice(model, type, now) ?? assert.fail("known");
    assert.deepEqual(price, { input, output, simplified: [], ...rest });
    assert.match(source, /^genai-prices [\w-]+\/./);
  });
}

test("Cohere's third embeddings cost $0.10, including the light ones that its own list has dropped", () => {
  for (const model of ["embed-english", "embed-multilingual", "embed-english-light", "embed-multilingual-light"]) {
    assert.equal(defaultPrice(`${model}-v3.0`, 35, now)?.input, "0.1", model);
  }
});

test("models outside of maintained lists cost their vendor's price, with cache and long prompts; other vendors have none", () => {
  const perMillionYuan = (model: string, type: ChannelType) => {
    const { input, output, cachedInput, steps = [] } = defaultPrice(model, type, now) ?? assert.fail(model);
    const yuan = (dollars = "0") => Math.round(Number(dollars) * 7 * 1_000) / 1_000;
    return [yuan(input), yuan(output), yuan(cachedInput), ...steps.map((step) => [step.above, yuan(step.input)])];
  };
  const rows = [
    ["ernie-5.1", 15, [4, 18, 0, [32_000, 6]]],
    ["qwen3-max", 17, [2.5, 10, 0.5, [32_000, 4], [128_000, 7]]],
    ["step-3.7-flash", 32, [1.35, 8.1, 0.27]],
    ["doubao-seed-2-0-pro-260215", 40, [3.2, 16, 0.64, [32_000, 4.8], [128_000, 9.6]]],
    ["Doubao-pro-128k", 40, [5, 9, 0]],
    ["Doubao-lite-4k", 40, [0.3, 0.6, 0]],
    ["deepseek-ai/DeepSeek-R1", 44, [4, 16, 0.4]],
    ["Qwen/Qwen3-32B", 44, [1, 4, 0]],
  ] as const;
  for (const [model, type, expected] of rows) assert.deepEqual(perMillionYuan(model, type), expected, model);
  assert.deepEqual(
    ["codestral-embed", "qwen3.7-max"].map((model, index) => defaultPrice(model, index === 0 ? 28 : 17, now)?.input),
    ["0.15", "1.65"],
  );
  assert.equal(defaultPrice("qwen3-max", 17, now)?.cacheWrite, "0.446428571428");
  assert.equal(defaultPrice("Doubao-pro-128k", 8, now), undefined);
});

test("newer models of their makers cost the page's price, also at other providers, with announced changes", () => {
  const priceOf = (model: string, type: ChannelType, time = "2026-11-30T23:59:59Z") => {
    const { input, output, cachedInput, cacheWrite, longCacheWrite, steps } =
      defaultPrice(model, type, new Date(time)) ?? assert.fail(model);
    return [
      input,
      output,
      cachedInput,
      cacheWrite,
      longCacheWrite,
      steps?.map(({ above, output: dear }) => [above, dear]),
    ];
  };
  assert.deepEqual(priceOf("gpt-6.2-sol", 1), ["2", "10", "0.1", "2.5", "5", [[272_000, "15"]]]);
  assert.deepEqual(priceOf("openai/gpt-6.1-terra", 20), ["1", "5", "0.05", "1.25", "2.5", [[272_000, "7.5"]]]);
  assert.deepEqual(priceOf("claude-fable-5-2", 33), ["8", "40", "0.2", "10", "16", undefined]);
  const argon = ["2", "10", "0.1", undefined, undefined, undefined];
  assert.deepEqual(priceOf("gemini-4-argon", 24), argon);
  assert.deepEqual(priceOf("gemini-4-argon", 24, "2026-12-01T00:00:00Z"), ["4", "20", "0.2", ...argon.slice(3)]);
  assert.deepEqual(priceOf("gemini-4-argon", 24, "2026-11-29T00:00:00Z"), argon);
});

test("prices change on their date", () => {
  assert.equal(defaultPrice("o3", 1, new Date("2025-06-01T00:00:00Z"))?.input, "10");
  assert.equal(defaultPrice("o3", 1, new Date("2025-06-10T00:00:00Z"))?.input, "2");
  assert.equal(defaultPrice("gemini-3.8-flash", 24, now)?.input, "0.75");
  assert.equal(defaultPrice("gemini-3.8-flash", 24, new Date("2027-01-01T00:00:00Z"))?.input, "1.5");
});

test("unknown models and models without a price per token have none", () => {
  for (const model of ["no-such-model", "", "mistral-ocr-latest"]) {
    assert.equal(defaultPrice(model, 1, now), undefined);
  }
});

test("a model priced by pictures, characters or seconds names its unit, converted to tokens", () => {
  const rows = [
    ["dall-e-3", 1, "image", "40"],
    ["cogview-3-plus", 16, "image", "8.571428571428"],
    ["wan2.2-t2i-flash", 17, "image", "20"],
    ["qwen-image", 17, "image", "35.714285714285"],
    ["image-01", 27, "image", "3.571428571428"],
    ["stability.stable-image-ultra-v1:1", 33, "image", "140"],
    ["@cf/black-forest-labs/flux-1-schnell", 37, "image", "1.056"],
    ["@cf/leonardo/lucid-origin", 37, "image", "33.264"],
    ["tts-1-hd", 1, "character", "30"],
    ["whisper-1", 1, "second", "30"],
    ["whisper-large-v3", 29, "second", "9.25"],
  ] as const;
  for (const [model, type, unit, input] of rows) {
    const price = defaultPrice(model, type, now);
    assert.deepEqual([price?.unit, price?.input], [unit, input], model);
  }
});

test("a picture priced by tiles is charged by its size, or by its default size without one", () => {
  const dollars = (size: string) =>
    (0.033264 * imageFactor("@cf/leonardo/lucid-origin", { size, quality: "" })).toFixed(6);
  assert.equal(dollars("1024x1024"), (4 * 0.006996 + 40 * 0.000132).toFixed(6));
  assert.equal(dollars("512x513"), (2 * 0.006996 + 40 * 0.000132).toFixed(6));
  assert.equal(dollars(""), (9 * 0.006996 + 40 * 0.000132).toFixed(6));
});

test("a model is free only at its own provider or by its name", () => {
  assert.equal(defaultPrice("omni-moderation-latest", 1, now)?.input, "0");
  assert.equal(defaultPrice("text-moderation-stable", 7, now)?.input, "0");
  assert.equal(defaultPrice("glm-4-flash", 16, now)?.input, "0");
  assert.equal(defaultPrice("glm-4-flash", 8, now), undefined);
  for (const [model, type] of [
    ["Spark-Lite", 18],
    ["hunyuan-lite", 23],
    ["BAAI/bge-large-zh-v1.5", 44],
  ] as const) {
    assert.equal(defaultPrice(model, type, now)?.input, "0", model);
    assert.equal(defaultPrice(model, 8, now), undefined, model);
  }
  assert.equal(defaultPrice("qwen-image", 8, now), undefined);
  assert.equal(defaultPrice("gemma-3-27b-it", 24, now)?.output, "0");
  assert.notEqual(defaultPrice("gemma-3-27b-it", 8, now)?.output, "0");
});

test("the channel type's own price precedes another provider's of the same name", () => {
  const atAws = defaultPrice("llama3-8b-8192", 33, now);
  assert.deepEqual([atAws?.input, atAws?.output], ["0.3", "0.6"]);
  const atGroq = defaultPrice("llama3-8b-8192", 29, now);
  assert.deepEqual([atGroq?.input, atGroq?.output], ["0.05", "0.08"]);
});

const corrected: readonly (readonly [what: string, model: string, type: ChannelType, input: string, output: string])[] =
  [
    ["yuan at exactly 7 to the dollar", "ERNIE-4.0-8K", 15, "17.142857142857", "17.142857142857"],
    ["Spark's rounded yuan", "SparkDesk-v4.0", 18, "2.571428571428", "2.571428571428"],
    ["360's rounded yuan", "360GPT_S2_V9", 19, "1.714285714285", "1.714285714285"],
    ["StepFun 1000 times dearer", "step-1-8k", 32, "0.714285714285", "0.714285714285"],
    ["StepFun's large model", "step-2-16k", 32, "5.428571428571", "5.428571428571"],
    ["Groq 1000 times dearer", "gemma2-9b-it", 29, "0.2", "0.2"],
    ["Groq's large model", "llama3-70b-8192", 29, "0.59", "0.79"],
    ["Replicate 1000 times cheaper", "meta/llama-2-13b-chat", 46, "0.1", "0.5"],
    ["Replicate's largest model", "meta/meta-llama-3.1-405b-instruct", 46, "9.5", "9.5"],
    ["DeepL's characters, whatever the language", "deepl-pt-BR", 38, "25", "0"],
    ["PaLM 2 by the model that stands in for it", "PaLM-2", 11, "0.3", "2.5"],
    ["o3-mini's output", "o3-mini", 1, "1.1", "4.4"],
    ["OpenRouter's input below its output", "anthropic/claude-3-haiku", 20, "0.25", "1.25"],
    ["deepseek's output at twice the input", "deepseek-v3", 17, "0.142857142857", "0.285714285714"],
  ];

for (const [what, model, type, input, output] of corrected) {
  test(`corrected: ${what} (${model})`, () => {
    const price = defaultPrice(model, type, now);
    assert.deepEqual([price?.input, price?.output], [input, output]);
  });
}

test("openrouter/auto, whose price depends on its choice, has none and never a negative one", () => {
  assert.equal(defaultPrice("openrouter/auto", 20, now), undefined);
});

test("Qwen and Command models cost the same with web search", () => {
  assert.deepEqual(defaultPrice("command-r-internet", 35, now), defaultPrice("command-r", 35, now));
  assert.deepEqual(defaultPrice("qwen-vl-max-latest-internet", 17, now), defaultPrice("qwen-vl-max-latest", 17, now));
});

test("a look-up of a known model returns the same object", () => {
  assert.equal(defaultPrice("gpt-4o", 1, now), defaultPrice("gpt-4o", 1, now));
});
