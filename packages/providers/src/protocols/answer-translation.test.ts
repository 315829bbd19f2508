import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { AnswerEnvelope } from "../format-sides.ts";
import { textOfAnswer, textOfEvent } from "../neutral/chat-answer.ts";
import { type JsonRecord, listOf, parseJson, recordOf } from "../shared/json-fields.ts";
import { NO_USAGE } from "../usage.ts";
import { anthropicMessages } from "./anthropic-messages/anthropic-messages.ts";
import { priceFactorOf } from "./anthropic-messages/usage.ts";
import { openAiChat } from "./openai-chat/openai-chat.ts";

const openAi = openAiChat();
const anthropic = anthropicMessages("2023-06-01");
const envelope: AnswerEnvelope = { created: 1_700_000_000, reportUsage: true, request: {} };

const fromAnthropic: JsonRecord = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude",
  content: [
    { type: "thinking", thinking: "Hm.", signature: "c2ln" },
    { type: "redacted_thinking", data: "aGlk" },
    { type: "text", text: "Let me look." },
    { type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Bonn" } },
    { type: "tool_use", id: "toolu_2", name: "now", input: {} },
  ],
  stop_reason: "tool_use",
  stop_sequence: null,
  usage: {
    input_tokens: 5,
    cache_creation_input_tokens: 20,
    cache_read_input_tokens: 100,
    output_tokens: 40,
  },
};

describe("a whole answer", () => {
  it("of Anthropic's for a caller of OpenAI's retains text, thoughts, calls and usage", () => {
    const answer = recordOf(openAi.chat?.writeAnswer(recordAnswer(fromAnthropic), envelope));
    assert.deepEqual(answer.choices, [
      {
        index: 0,
        message: {
          role: "assistant",
          content: "Let me look.",
          refusal: null,
          reasoning_content: "Hm.",
          reasoning_details: [
            { type: "reasoning.text", text: "Hm.", signature: "c2ln", index: 0 },
            { type: "reasoning.encrypted", data: "aGlk", index: 1 },
          ],
          tool_calls: [
            { id: "toolu_1", type: "function", function: { name: "weather", arguments: '{"city":"Bonn"}' } },
            { id: "toolu_2", type: "function", function: { name: "now", arguments: "{}" } },
          ],
        },
        logprobs: null,
        finish_reason: "tool_calls",
      },
    ]);
    assert.deepEqual([answer.id, answer.object, answer.created], ["chatcmpl-msg_1", "chat.completion", 1_700_000_000]);
    assert.equal(recordOf(answer.usage).prompt_tokens, 125);
  });

  it("is the same after a translation to another format and back", () => {
    const there = recordOf(openAi.chat?.writeAnswer(recordAnswer(fromAnthropic), envelope));
    const again = openAi.chat?.readAnswer(there);
    assert.ok(again !== undefined);
    assert.deepEqual(anthropic.chat?.writeAnswer({ ...again, id: "msg_1" }, envelope), fromAnthropic);
  });

  it("of OpenAI's for a caller of Anthropic's translates calls, refusals and invalid arguments", () => {
    const write = (message: JsonRecord, finish_reason: string) => {
      const read = openAi.chat?.readAnswer({ id: "1", model: "m", choices: [{ message, finish_reason }] });
      assert.ok(read !== undefined);
      return recordOf(anthropicMessages("2026-10-21").chat?.writeAnswer(read, envelope));
    };
    const called = { content: null, tool_calls: [{ id: "c", function: { name: "f", arguments: "[1" } }] };
    const withCall = write(called, "stop");
    assert.deepEqual(
      [withCall.stop_reason, withCall.content],
      ["tool_use", [{ type: "tool_use", id: "c", name: "f", input: {}, caller: { type: "direct" } }]],
    );
    const refused = write({ content: null, refusal: "No." }, "content_filter");
    assert.deepEqual(
      [refused.stop_reason, refused.content],
      ["refusal", [{ type: "text", text: "No.", citations: null }]],
    );
    assert.equal(refused.id, "msg_1");
    assert.equal(recordOf(refused.usage).output_tokens, 0);
  });

  it("counts cache reads and cache writes", () => {
    const usage = {
      input_tokens: 5,
      cache_creation_input_tokens: 20,
      cache_creation: { ephemeral_5m_input_tokens: 15, ephemeral_1h_input_tokens: 5 },
      cache_read_input_tokens: 100,
      output_tokens: 40,
      output_tokens_details: { thinking_tokens: 30 },
    };
    assert.deepEqual(anthropic.readUsage({ usage }), {
      ...NO_USAGE,
      promptTokens: 125,
      cachedTokens: 100,
      cacheWriteTokens: 15,
      longCacheWriteTokens: 5,
      completionTokens: 40,
      reasoningTokens: 30,
    });
    assert.equal(anthropic.readUsage({ content: [] }), undefined);
  });
});

describe("prices of Anthropic's beside plain tokens", () => {
  const usage = { input_tokens: 5, output_tokens: 4 };
  const read = (more: JsonRecord, model = "claude-opus-4-6") =>
    anthropic.readUsage({ model, usage: { ...usage, ...more } });

  it("depend on speed, region and searches", () => {
    assert.equal(read({})?.priceFactor, 1);
    assert.equal(read({ speed: "standard", inference_geo: "global" })?.priceFactor, 1);
    assert.equal(read({ speed: "fast" })?.priceFactor, 6);
    for (const model of ["claude-opus-4-8", "claude-opus-5", "claude-opus-5-20260723", "claude-opus-5-5"]) {
      assert.equal(read({ speed: "fast" }, model)?.priceFactor, 2);
    }
    assert.equal(read({ inference_geo: "us" })?.priceFactor, 1.1);
    assert.equal(read({ server_tool_use: { web_search_requests: 3 } })?.toolFees, 60);
  });

  it("have an upper bound by the request", () => {
    for (const [asked, told] of [
      [{ speed: "fast" }, { speed: "fast" }],
      [
        { speed: "fast", inference_geo: "us" },
        { speed: "fast", inference_geo: "us" },
      ],
    ] as const) {
      assert.ok(priceFactorOf(asked, "claude-opus-4-6") >= (read(told)?.priceFactor ?? 0));
    }
    assert.equal(priceFactorOf({ speed: null, inference_geo: null }, "claude-opus-4-6"), 1);
  });

  it("are retained in a stream whose end reports less", () => {
    const started = { ...usage, speed: "fast", cache_creation: { ephemeral_1h_input_tokens: 7 } };
    const meter = anthropic.meter({ passUsage: true, countText: (text) => text.length });
    const pass = (event: JsonRecord) => meter.look(Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
    const cache = { cache_creation_input_tokens: 7 };
    pass({ type: "message_start", message: { model: "claude-opus-4-6", usage: { ...started, ...cache } } });
    pass({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { ...usage, ...cache } });
    assert.deepEqual(meter.usage, {
      ...NO_USAGE,
      promptTokens: 12,
      longCacheWriteTokens: 7,
      completionTokens: 4,
      priceFactor: 6,
      namesTier: true,
    });
  });
});

function recordAnswer(answer: JsonRecord) {
  const read = anthropic.chat?.readAnswer(answer);
  assert.ok(read !== undefined);
  return read;
}

const directory = process.env.RECORDINGS_DIR ?? join(import.meta.dirname, "../../../../../shared/recordings");
const skip = existsSync(directory) ? false : `no recordings in ${directory}: set RECORDINGS_DIR`;

interface Recorded {
  readonly file: string;
  readonly format: typeof openAi;
  readonly prompt: number;
  readonly completion: number;
  readonly finish: string;
  readonly tools: number;
}

const recordings: readonly Recorded[] = [
  { file: "anthropic/text.json", format: anthropic, prompt: 12, completion: 29, finish: "stop", tools: 0 },
  {
    file: "anthropic/tool-no-args.json",
    format: anthropic,
    prompt: 602,
    completion: 93,
    finish: "tool_calls",
    tools: 1,
  },
  { file: "mistral/text.json", format: openAi, prompt: 13, completion: 434, finish: "stop", tools: 0 },
  { file: "openai/text.json", format: openAi, prompt: 16, completion: 363, finish: "stop", tools: 0 },
  { file: "anthropic/text.chunks.txt", format: anthropic, prompt: 12, completion: 30, finish: "stop", tools: 0 },
  {
    file: "anthropic/tool-no-args.chunks.txt",
    format: anthropic,
    prompt: 565,
    completion: 48,
    finish: "tool_calls",
    tools: 1,
  },
  { file: "mistral/text.chunks.txt", format: openAi, prompt: 13, completion: 8, finish: "stop", tools: 0 },
  { file: "groq/text.chunks.txt", format: openAi, prompt: 45, completion: 662, finish: "stop", tools: 0 },
  { file: "moonshot/text.chunks.txt", format: openAi, prompt: 9, completion: 12, finish: "stop", tools: 0 },
];

describe("recorded answers, translated for a caller of OpenAI's", { skip }, () => {
  for (const { file, format, prompt, completion, finish, tools } of recordings) {
    it(file, () => {
      const text = readFileSync(join(directory, file), "utf8");
      const told = file.endsWith(".json") ? readWhole(format, text) : readStreamed(format, text);
      assert.deepEqual(told.usage, [prompt, completion]);
      assert.deepEqual([told.finish, told.tools], [finish, tools]);
      assert.notEqual(told.text, "");
    });
  }
});

function readWhole(format: typeof openAi, text: string) {
  const read = format.chat?.readAnswer(recordOf(parseJson(text)));
  assert.ok(read !== undefined);
  const answer = recordOf(openAi.chat?.writeAnswer(read, envelope));
  const choice = recordOf(listOf(answer.choices)[0]);
  const usage = recordOf(answer.usage);
  return {
    text: textOfAnswer(read),
    usage: [usage.prompt_tokens, usage.completion_tokens],
    finish: choice.finish_reason,
    tools: listOf(recordOf(choice.message).tool_calls).length,
  };
}

function readStreamed(format: typeof openAi, text: string) {
  const decoder = format.chat?.decode();
  assert.ok(decoder !== undefined);
  const events = text
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .flatMap((line) => decoder.read("", line));
  const usage = events.flatMap((event) => (event.type === "usage-report" ? [event.usage] : [])).at(-1);
  const finished = events.flatMap((event) => (event.type === "answer-finish" ? [event.finish] : []));
  assert.equal(finished.length, 1);
  return {
    text: events.map(textOfEvent).join(""),
    usage: [usage?.promptTokens, usage?.completionTokens],
    finish: finished[0]?.reason.replace("-", "_"),
    tools: events.filter(({ type }) => type === "tool-call-start").length,
  };
}
