import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NO_USAGE, type Usage } from "@one-api/providers/usage";
import { readBody } from "../body/index.ts";
import { type CountedPrompt, type CountPrompt } from "./count-prompts.ts";
import { tokensUpperBound, usageUpperBound, createCountTokens, limitOfBalance } from "./count-usage.ts";
import { anthropic, openai } from "../dialects/index.ts";
import { chargeUpperBound, computeCharge, priceModel } from "../pricing/index.ts";

const noOptions = { ratios: () => new Map<string, number>(), prices: () => new Map() };

function parse(path: string, body: string | object) {
  const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const callPath = openai.callAt(path, "") ?? anthropic.callAt(path, "");
  assert.ok(callPath);
  return callPath.parseRequest(readBody(bytes), {});
}

const CHAT = "/v1/chat/completions";
const said = (...content: unknown[]) => [{ role: "user", content }];
const hello = [{ role: "user", content: "hi" }];

const MESSAGES = "/v1/messages";
const claude = { model: "claude-opus-4-6", max_tokens: 10, messages: hello };

/** Requests, with the highest usage that a provider may report. */
const attacks: readonly (readonly [what: string, path: string, body: string | object, worst: Partial<Usage>])[] = [
  [
    "500 prompts in a list",
    "/v1/completions",
    { model: "gpt-4o", prompt: Array.from({ length: 500 }, () => "a"), max_tokens: 100 },
    { promptTokens: 500, completionTokens: 50_000 },
  ],
  [
    "prompts of token numbers, n and best_of",
    "/v1/completions",
    { model: "gpt-4o", prompt: [[1], [2], [3]], max_tokens: 10, n: 4, best_of: 8 },
    { promptTokens: 3, completionTokens: 3 * 10 * 8 },
  ],
  [
    "a list of prompts that begins with a number",
    "/v1/completions",
    { model: "gpt-4o", prompt: [1, "b", "c", "d", "e", "f", "g", "h", "i"], max_tokens: 10 },
    { completionTokens: 90 },
  ],
  [
    "a small limit beside a large one",
    CHAT,
    { model: "gpt-4o", messages: hello, max_completion_tokens: 1, max_tokens: 20_000 },
    { promptTokens: 10, completionTokens: 20_000 },
  ],
  [
    "a limit of another server beside OpenAI's",
    CHAT,
    { model: "gpt-4o", messages: hello, max_tokens: 1, n_predict: -1 },
    { promptTokens: 10, completionTokens: 128_000 },
  ],
  [
    "a limit that legacy completions do not know",
    "/v1/completions",
    { model: "gpt-4o", prompt: "a", max_completion_tokens: 1 },
    { completionTokens: 16_384 },
  ],
  [
    "an image whose type is written with escapes",
    CHAT,
    `{"model":"gpt-4o-mini","max_tokens":1,"messages":[{"role":"user","content":[{"type":"image\\u005furl","\\u0069mage_url":{"url":"https://h.example/x.png"}}]}]}`,
    { promptTokens: 36_835, imagePromptTokens: 36_835, completionTokens: 1 },
  ],
  [
    "an image in the answer of a tool, as a bare address",
    CHAT,
    {
      model: "gpt-4o-mini",
      max_tokens: 1,
      messages: [{ role: "tool", content: [{ type: "input_image", image_url: "https://h.example/x.png" }] }],
    },
    { promptTokens: 36_835, completionTokens: 1 },
  ],
  [
    "speech that is heard and spoken",
    CHAT,
    {
      model: "gpt-4o-audio-preview",
      max_tokens: 500,
      modalities: ["text", "audio"],
      audio: { voice: "alloy", format: "wav" },
      messages: said({ type: "input_audio", input_audio: { data: "https://h.example/x.mp3", format: "mp3" } }),
    },
    { promptTokens: 36_000, audioPromptTokens: 36_000, completionTokens: 500, audioCompletionTokens: 500 },
  ],
  [
    "speech whose file says nothing of its length",
    CHAT,
    {
      model: "gpt-4o-audio-preview",
      max_tokens: 1,
      messages: said({ type: "input_audio", input_audio: { data: "ZkxhQw==", format: "flac" } }),
    },
    { promptTokens: 36_000, audioPromptTokens: 36_000, completionTokens: 1 },
  ],
  [
    "an earlier spoken answer, by its id",
    CHAT,
    { model: "gpt-4o-audio-preview", max_tokens: 1, messages: [{ role: "assistant", audio: { id: "audio_1" } }] },
    { promptTokens: 3_000, audioPromptTokens: 3_000, completionTokens: 1 },
  ],
  [
    "a file by its id",
    CHAT,
    { model: "gpt-4o", max_tokens: 1, messages: said({ type: "file", file: { file_id: "file-1" } }) },
    { promptTokens: 120_000, completionTokens: 1 },
  ],
  [
    "a search of the provider's own",
    CHAT,
    { model: "gpt-4o", max_tokens: 1, messages: hello, web_search_options: {} },
    { promptTokens: 120_000, completionTokens: 1 },
  ],
  [
    "a tool that the provider runs",
    CHAT,
    { model: "gpt-4o", max_tokens: 1, messages: hello, tools: [{ type: "web_search" }] },
    { promptTokens: 120_000, completionTokens: 1 },
  ],
  [
    "searches that the provider bills by themselves",
    MESSAGES,
    {
      model: "claude-sonnet-4-5",
      max_tokens: 10,
      messages: hello,
      tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 7 }],
    },
    { promptTokens: 190_000, completionTokens: 10, toolFees: 140 },
  ],
  [
    "a conversation that the provider keeps",
    MESSAGES,
    { model: "claude-sonnet-4-5", max_tokens: 10, messages: hello, thread: { id: "thread_1" } },
    { promptTokens: 190_000, longCacheWriteTokens: 190_000, completionTokens: 10 },
  ],
  [
    "a document of plain text, and an image in a tool's result",
    MESSAGES,
    {
      model: "claude-sonnet-4-5",
      max_tokens: 10,
      messages: said(
        { type: "document", source: { type: "text", data: "x".repeat(5_000) } },
        { type: "tool_result", content: [{ type: "image", source: { type: "base64", data: "A".repeat(9_000) } }] },
      ),
    },
    { promptTokens: 6_600, completionTokens: 10 },
  ],
  [
    "a prediction that turns out wrong",
    CHAT,
    {
      model: "gpt-4o",
      max_tokens: 10,
      n: 2,
      messages: hello,
      prediction: { type: "content", content: "word ".repeat(400) },
    },
    { promptTokens: 10, completionTokens: 20 + 2 * 400 },
  ],
  [
    "thinking with a budget beside the limit",
    CHAT,
    { model: "qwen-plus", max_tokens: 10, messages: hello, thinking_budget: 4_000 },
    { promptTokens: 10, completionTokens: 4_010, reasoningTokens: 4_000 },
  ],
  [
    "a prompt of which no two letters are one token, written to a cache",
    CHAT,
    { model: "claude-opus-4-5", max_tokens: 10, messages: [{ role: "user", content: "qzxj".repeat(500) }] },
    { promptTokens: 2_000, cacheWriteTokens: 2_000, completionTokens: 10 },
  ],
  [
    "text in other scripts",
    CHAT,
    { model: "gpt-4o", max_tokens: 1, messages: [{ role: "user", content: "𓀀𓀁𓀂".repeat(100) }] },
    { promptTokens: 1_200, completionTokens: 1 },
  ],
  [
    "Claude's thoughts, which count as its answer",
    MESSAGES,
    { ...claude, max_tokens: 2_000, thinking: { type: "enabled", budget_tokens: 1_500 } },
    { promptTokens: 10, completionTokens: 2_000, reasoningTokens: 1_500 },
  ],
  [
    "a long system prompt, written to Claude's cache for an hour",
    MESSAGES,
    {
      ...claude,
      system: [{ type: "text", text: "qzxj".repeat(500), cache_control: { type: "ephemeral", ttl: "1h" } }],
    },
    { promptTokens: 2_000, longCacheWriteTokens: 2_000, completionTokens: 10 },
  ],
  [
    "Claude at its fast speed in a fixed place",
    MESSAGES,
    { ...claude, speed: "fast", inference_geo: "us" },
    { promptTokens: 10, completionTokens: 10, priceFactor: 6.6 },
  ],
  [
    "a picture in what a tool answered Claude, its type written with escapes",
    MESSAGES,
    `{"model":"claude-opus-4-6","max_tokens":10,"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"im\u0061ge","source":{"type":"url","url":"https://h.example/x.png"}}]}]}]}`,
    { promptTokens: 5_000, completionTokens: 10 },
  ],
  [
    "a document behind an address for Claude",
    MESSAGES,
    {
      ...claude,
      messages: said({ type: "document", source: { type: "url", url: "https://h.example/x.pdf" } }),
    },
    { promptTokens: 190_000, completionTokens: 10 },
  ],
  [
    "searches that Claude's provider makes and bills",
    MESSAGES,
    { ...claude, tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 20 }] },
    { promptTokens: 150_000, completionTokens: 10, toolFees: 200 },
  ],
];

describe("the upper bound of a request", () => {
  for (const [what, path, body, worst] of attacks) {
    it(`covers ${what}`, () => {
      const parsed = parse(path, body);
      const bound = usageUpperBound(parsed, [parsed.model]);
      for (const type of [1, 24] as const) {
        const price = priceModel(noOptions, { model: parsed.model, type, group: "default" });
        const charge = computeCharge({ ...NO_USAGE, ...worst }, price);
        assert.ok(chargeUpperBound(bound, [price]) >= charge, `${chargeUpperBound(bound, [price])} for ${charge}`);
      }
      assert.ok(tokensUpperBound(parsed) >= (worst.promptTokens ?? 0) + (worst.completionTokens ?? 0));
    });
  }

  it("does not count bytes of images, recordings and files as text", () => {
    const letters = "A".repeat(3_000_000);
    for (const [part, most] of [
      [{ type: "image_url", image_url: { url: `data:image/png;base64,${letters}` } }, 38_000],
      [{ type: "input_audio", input_audio: { data: letters, format: "wav" } }, 80_000],
      [{ type: "file", file: { file_data: letters } }, 130_000],
    ] as const) {
      const { promptTokens, audioPromptTokens } = usageUpperBound(
        parse(CHAT, { model: "gpt-4o", max_tokens: 1, messages: said(part) }),
        ["gpt-4o"],
      );
      assert.ok(promptTokens + audioPromptTokens < most, `${part.type}: ${promptTokens} + ${audioPromptTokens}`);
    }
  });

  it("counts text as text next to an image, and text that resembles a placeholder or image", () => {
    const text = "x".repeat(10_000);
    for (const part of [
      { type: "image_url", image_url: { url: "https://h.example/x.png" }, text },
      { type: "text", text: `data:image/png;base64,${text}` },
      { type: "text", text: `elided:00000000-0000-0000-0000-000000000000:99999${text}` },
    ]) {
      const { promptTokens } = usageUpperBound(parse(CHAT, { model: "gpt-4o", messages: said(part) }), ["gpt-4o"]);
      assert.ok(promptTokens >= 10_000);
    }
  });

  it("counts no search for tools that the caller runs", () => {
    const tools = [
      { type: "bash_20250124", name: "bash" },
      { type: "custom", name: "web_search", input_schema: {} },
    ];
    const { isOpen, toolFees } = parse(MESSAGES, { model: "m", max_tokens: 1, messages: hello, tools }).prompt;
    assert.deepEqual([isOpen, toolFees], [false, 0]);
  });

  it("counts no media in a tool's parameters", () => {
    const parameters = { type: "object", properties: { file: { type: "string" }, image_url: { type: "string" } } };
    const tools = [{ type: "function", function: { name: "f", parameters } }];
    const { hasImages, isOpen } = parse(CHAT, { model: "gpt-4o", messages: hello, tools }).prompt;
    assert.deepEqual([hasImages, isOpen], [false, false]);
  });
});

describe("a limit for the provider", () => {
  it("is what the balance pays for, up to the model's maximum", () => {
    assert.equal(limitOfBalance(undefined, "some-model"), undefined);
    assert.equal(limitOfBalance(77, "some-model"), 77);
    assert.equal(limitOfBalance(77, "gpt-4o"), 77);
    assert.equal(limitOfBalance(100_000, "gpt-4o"), 16_384);
  });

  it("of zero, below zero and of no number is refused", () => {
    for (const limit of [0, -1, 1.5, "9", 2 ** 40]) {
      assert.throws(
        () => parse(CHAT, { model: "m", messages: hello, max_tokens: limit }),
        /max_tokens must be a whole number from 1/,
      );
    }
    assert.throws(() => parse(CHAT, { model: "m", messages: hello, n: 0 }), /n must be/);
  });
});

describe("counting a prompt for a lower upper bound", () => {
  const exactly = { flag: () => false };
  const counting = (counted: CountedPrompt | undefined) => {
    const count: CountPrompt = () => Promise.resolve(counted);
    return createCountTokens({ ...exactly }, count);
  };
  const long = parse(CHAT, { model: "gpt-4o", messages: [{ role: "user", content: "x".repeat(10_000) }] });

  it("adds a margin, more of it for tokenizers that are not OpenAI's", async () => {
    const count = counting({ tokens: 1_000, isWhole: true });
    assert.equal(await count.promptAtMost(long, "gpt-4o"), 1_066);
    assert.equal(await count.promptAtMost(long, "claude-opus-5"), 1_416);
  });

  it("returns undefined for an incomplete count, no count, or media", async () => {
    assert.equal(await counting({ tokens: 1_000, isWhole: false }).promptAtMost(long, "gpt-4o"), undefined);
    assert.equal(await counting(undefined).promptAtMost(long, "gpt-4o"), undefined);
    const image = parse(CHAT, { model: "gpt-4o", messages: said({ type: "image_url", image_url: { url: "x" } }) });
    assert.equal(await counting({ tokens: 1, isWhole: true }).promptAtMost(image, "gpt-4o"), undefined);
  });

  it("falls back to the body's length without a report", async () => {
    assert.equal(await counting({ tokens: 1_234, isWhole: false }).prompt(long, "gpt-4o"), 1_234);
    const guess = await counting(undefined).prompt(long, "gpt-4o");
    assert.ok(guess > 2_500 && guess < 2_600, `${guess}`);
  });
});
