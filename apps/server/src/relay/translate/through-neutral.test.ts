import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Format } from "@one-api/providers/format";
import { anthropicMessages } from "@one-api/providers/protocols/anthropic-messages/anthropic-messages";
import { geminiContent } from "@one-api/providers/protocols/gemini/gemini";
import { openAiChat } from "@one-api/providers/protocols/openai-chat/openai-chat";
import { openAiResponses } from "@one-api/providers/protocols/openai-responses/openai-responses";
import { MAX_EVENT_BYTES } from "@one-api/providers/framing/event-splitter";
import { providerOf } from "@one-api/providers/registry";
import { type JsonRecord, listOf, parseJson, recordOf } from "@one-api/providers/shared/json-fields";
import fc from "fast-check";
import { ownRequest } from "../dialects/index.ts";
import { RelayError } from "../errors/index.ts";
import { createTranslate } from "./choose-translation.ts";
import { createPassThrough } from "./pass-through.ts";
import { createThroughNeutral } from "./through-neutral.ts";
import type { AnswerStream } from "./translation.ts";

const openai = openAiChat();
const anthropic = anthropicMessages("2023-06-01");
const services = { countText: (text: string) => text.length, nowSeconds: () => 1_700_000_000 };
const parsed = ownRequest("chat-completions", {
  model: "m",
  messages: [{ role: "user", content: "Hi" }],
  stream: true,
});

const frames = (...events: readonly JsonRecord[]) =>
  events.map((event) => `event: ${String(event.type)}\r\ndata: ${JSON.stringify(event)}\r\n\r\n`).join("");
const started = {
  type: "message_start",
  message: { id: "msg_1", model: "claude", usage: { input_tokens: 5, output_tokens: 1 } },
};
const block = { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } };
const said = (text: string) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
const ended = { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 9 } };
const fromAnthropic = frames(
  started,
  block,
  { type: "ping" },
  said("Grüße "),
  said("你好 🙂"),
  { type: "content_block_stop", index: 0 },
  ended,
  { type: "message_stop" },
);
const chunk = (delta: JsonRecord, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: "1", model: "gpt", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const fromOpenAi = [
  ": PROCESSING\n\n",
  chunk({ role: "assistant", content: "" }),
  chunk({ content: "Grüße 🙂" }),
  chunk({ tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: "{}" } }] }),
  chunk({}, "tool_calls"),
  `data: ${JSON.stringify({ id: "1", choices: [], usage: { prompt_tokens: 5, completion_tokens: 9 } })}\n\n`,
  "data: [DONE]\n\n",
].join("");

const open = (caller: Format, provider: Format): AnswerStream =>
  createThroughNeutral(caller, provider, services).openStream(parsed);

function passAll(stream: AnswerStream, chunks: readonly Buffer[]): string {
  const passed = chunks.map((bytes) => stream.push(bytes)?.toString() ?? "");
  return passed.join("") + (stream.finish()?.toString() ?? "");
}

describe("a stream through the neutral form", () => {
  const streams = [
    ["Anthropic's for a caller of OpenAI's", openai, anthropic, fromAnthropic],
    ["OpenAI's for a caller of Anthropic's", anthropic, openai, fromOpenAi],
    ["a near OpenAI's for a caller of OpenAI's", openai, openai, fromOpenAi],
  ] as const;
  for (const [name, caller, provider, text] of streams) {
    it(`${name} does not depend on the chunks`, () => {
      const bytes = Buffer.from(text);
      const whole = passAll(open(caller, provider), [bytes]);
      assert.match(whole, /Grüße/);
      fc.assert(
        fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (offsets) => {
          const points = [...new Set(offsets)].sort((left, right) => left - right);
          const chunks = [0, ...points].map((from, index) => bytes.subarray(from, points[index] ?? bytes.length));
          const stream = open(caller, provider);
          assert.equal(passAll(stream, chunks), whole);
          assert.deepEqual([stream.state, stream.usage?.completionTokens], ["complete", 9]);
        }),
        { numRuns: 300 },
      );
    });
  }

  it("withholds output until the answer begins, for a failover", () => {
    const stream = open(openai, anthropic);
    assert.equal(stream.push(Buffer.from(frames(started, block, { type: "ping" }))), undefined);
    assert.equal(stream.sawContent, false);
    assert.match(stream.push(Buffer.from(frames(said("Hi"))))?.toString() ?? "", /"content":"Hi"/);
    assert.equal(stream.sawContent, true);
    const toAnthropic = open(anthropic, openai);
    assert.equal(toAnthropic.push(Buffer.from(chunk({ role: "assistant", content: "" }))), undefined);
    const begun = toAnthropic.push(Buffer.from(chunk({ content: "Hi" })))?.toString() ?? "";
    assert.match(begun, /^event: message_start\n[^]*"text":"Hi"/);
  });

  it("forwards signs of life in the caller's format", () => {
    const toOpenAi = open(openai, anthropic);
    toOpenAi.push(Buffer.from(frames(started, block, said("Hi"))));
    assert.equal(toOpenAi.push(Buffer.from(frames({ type: "ping" })))?.toString(), ": ping\n\n");
    const toAnthropic = open(anthropic, openai);
    toAnthropic.push(Buffer.from(chunk({ content: "Hi" })));
    const ping = toAnthropic.push(Buffer.from(": PROCESSING\n\n"))?.toString();
    assert.equal(ping, 'event: ping\ndata: {"type":"ping"}\n\n');
  });

  it("sends callers of Google's API answers only: their clients fail at comments, and some at empty lines", () => {
    const toGemini = open(geminiContent, anthropic);
    toGemini.push(Buffer.from(frames(started, block, said("Hi"))));
    assert.equal(toGemini.push(Buffer.from(frames({ type: "ping" }))), undefined);
    const rest = Buffer.from(frames(said("!"), ended, { type: "message_stop" }));
    assert.match(passAll(toGemini, [rest]), /^(?:data: \{[^\n]+\}\n\n)+$/);
  });

  it("counts fees of hosted tools before the provider reports them", () => {
    const found = { type: "web_search_tool_result", content: [{ type: "web_search_result" }] };
    const search = { type: "content_block_start", index: 1, content_block: found };
    const fromResponses = frames(
      { type: "response.created", response: { id: "resp_1", model: "gpt-5", tools: [{ type: "web_search" }] } },
      { type: "response.output_item.done", item: { type: "web_search_call" } },
      { type: "response.output_text.delta", delta: "Hi" },
    );
    const searching = [
      [openai, anthropic, frames(started, search, block, said("Hi"))],
      [anthropic, openAiResponses, fromResponses],
      [openAiResponses, anthropic, frames(started, search, block, said("Hi"))],
    ] as const;
    for (const [caller, provider, text] of searching) {
      const stream = open(caller, provider);
      assert.match(stream.push(Buffer.from(text))?.toString() ?? "", /Hi/);
      assert.equal(stream.beside?.toolFees, 20, `${provider.name} for ${caller.name}`);
    }
  });

  it("withholds the caller's end mark", () => {
    const toAnthropic = open(anthropic, openai);
    const passed = passAll(toAnthropic, [Buffer.from(fromOpenAi)]);
    assert.match(passed, /message_delta/);
    assert.doesNotMatch(passed, /message_stop/);
    assert.match(toAnthropic.closing.toString(), /^event: message_stop\n/);
    assert.equal(open(openai, anthropic).closing.toString(), "data: [DONE]\n\n");
  });

  it("is complete without an end mark if the model has finished, else broken", () => {
    const whole = open(openai, anthropic);
    passAll(whole, [Buffer.from(frames(started, block, said("Hi"), ended))]);
    assert.equal(whole.state, "complete");
    const broken = open(openai, anthropic);
    passAll(broken, [Buffer.from(frames(started, block, said("Hi")))]);
    assert.deepEqual([broken.state, broken.failure?.kind], ["failed", "broken-stream"]);
    assert.deepEqual([broken.usage?.completionTokens, broken.deliveredTokens()], ["Hi".length, "Hi".length]);
  });

  it("ends with the provider's error, and with an event that is too long", () => {
    const failed = open(openai, anthropic);
    const error = { type: "error", error: { type: "overloaded_error", message: "Busy" } };
    passAll(failed, [Buffer.from(frames(started, block, said("Hi"), error, said("more")))]);
    assert.deepEqual([failed.state, failed.failure?.kind], ["failed", "overloaded"]);
    const long = open(openai, anthropic);
    long.push(Buffer.alloc(MAX_EVENT_BYTES + 1, "x"));
    assert.equal(long.failure?.kind, "too-large");
  });
});

describe("a request through the neutral form", () => {
  const edits = { model: "x", systemPrompt: "Be brief.", maxTokens: 7, reportUsage: true };

  it("has the model, the limit and the system prompt of the channel", () => {
    const written = createThroughNeutral(openai, anthropic, services).writeRequest(parsed, edits);
    assert.deepEqual(JSON.parse(written.body.toString()), {
      model: "x",
      max_tokens: 7,
      system: "Be brief.",
      messages: [{ role: "user", content: "Hi" }],
      stream: true,
    });
    assert.deepEqual([written.systemPrompt, written.dropped, written.formatHeaders], ["added", [], {}]);
  });

  it("replaces the caller's system prompt by the channel's", () => {
    const messages = [
      { role: "system", content: "Be long." },
      { role: "user", content: "Hi" },
    ];
    const instructed = ownRequest("chat-completions", { model: "m", messages });
    const written = createThroughNeutral(openai, anthropic, services).writeRequest(instructed, edits);
    assert.equal(recordOf(parseJson(written.body.toString())).system, "Be brief.");
    assert.equal(written.systemPrompt, "replaced");
  });

  it("limits the names of dropped fields in number and length", () => {
    const fields = Object.fromEntries(
      Array.from({ length: 900 }, (_, index) => [`\ud800${"x".repeat(100)}${index}`, 1]),
    );
    const strange = ownRequest("chat-completions", {
      model: "m",
      messages: [{ role: "user", content: "Hi" }],
      ...fields,
    });
    const { dropped } = createThroughNeutral(openai, anthropic, services).writeRequest(strange, edits);
    assert.deepEqual([dropped.length, dropped.at(-1)], [21, "and 880 more"]);
    assert.ok(dropped.every((name) => name.length <= 64 && name.isWellFormed()));
  });

  it("joins messages of the same role in linear time", () => {
    const messages = Array.from({ length: 9_000 }, () => ({ role: "user", content: "Hi" }));
    const many = ownRequest("chat-completions", { model: "m", messages });
    const { body } = createThroughNeutral(openai, anthropic, services).writeRequest(many, edits);
    assert.equal(listOf(recordOf(parseJson(body.toString())).messages).length, 1);
  });

  it("is refused by the name of the invalid field", () => {
    const strange = ownRequest("chat-completions", { model: "m", messages: [{ role: "robot" }] });
    assert.throws(
      () => createThroughNeutral(openai, anthropic, services).writeRequest(strange, edits),
      (error) => error instanceof RelayError && error.status === 400 && error.param === "messages.0.role",
    );
  });
});

describe("a whole answer through the neutral form", () => {
  const translation = createThroughNeutral(openai, anthropic, services);

  it("that is an error, or empty, is a failure", () => {
    const error = { type: "error", error: { type: "invalid_request_error", message: "No" } };
    for (const [text, kind] of [
      [JSON.stringify(error), "bad-request"],
      ["{}", "bad-answer"],
      ["<html>", "bad-answer"],
    ] as const) {
      const read = translation.readAnswer(parsed, 200, {}, Buffer.from(text));
      assert.equal(read.ok ? "" : read.failure.kind, kind, text);
    }
  });

  it("that is nested too deeply is not read, passed through or re-encoded", () => {
    const lists = "[".repeat(2 ** 20) + "]".repeat(2 ** 20);
    const bytes = Buffer.from(`{"content":[],"error":{"message":"No"},"x":${lists}}`);
    for (const each of [translation, createPassThrough(openai, services.countText)]) {
      const read = each.readAnswer(parsed, 200, {}, bytes);
      assert.ok(!read.ok);
      assert.equal(read.failure.kind, "bad-answer");
      assert.doesNotMatch(read.failure.message, /^No$/);
    }
  });

  it("has a date and usage in the caller's format", () => {
    const answer = { id: "msg_1", model: "claude", content: [{ type: "text", text: "Hi" }], stop_reason: "end_turn" };
    const read = translation.readAnswer(parsed, 200, {}, Buffer.from(JSON.stringify(answer)));
    assert.ok(read.ok);
    assert.equal(translation.answerText(read.bytes), "Hi");
    assert.match(read.bytes.toString(), /"created":1700000000/);
    assert.equal(read.usage, undefined);
  });
});

describe("the choice of a translation", () => {
  const translate = createTranslate(services.countText, services.nowSeconds);
  const wayOf = (type: number) => {
    const service = providerOf(type)?.serve("chat-completions", "m");
    assert.ok(service !== undefined);
    return translate(openai, service);
  };

  it("passes bytes through if both speak exactly the same, else uses the neutral form", () => {
    const plain = ownRequest("chat-completions", { model: "m", messages: [{ role: "user", content: "Hi" }] });
    const edits = { model: "m", systemPrompt: "", maxTokens: undefined, reportUsage: false };
    assert.equal(wayOf(1).writeRequest(plain, edits).body, plain.body.bytes);
    for (const type of [14, 25, 27, 28, 29]) {
      assert.notEqual(wayOf(type).writeRequest(plain, edits).body, plain.body.bytes, String(type));
    }
  });

  it("converts Mistral's thoughts for callers of OpenAI's API, and back", () => {
    const mistral = wayOf(28);
    const thinking = { type: "thinking", thinking: [{ type: "text", text: "Hm." }] };
    const content = [thinking, { type: "text", text: "Hi" }];
    const answer = { id: "1", model: "m", choices: [{ message: { content }, finish_reason: "stop" }] };
    const read = mistral.readAnswer(parsed, 200, {}, Buffer.from(JSON.stringify(answer)));
    assert.ok(read.ok);
    const message = recordOf(recordOf(listOf(recordOf(parseJson(read.bytes.toString())).choices)[0]).message);
    assert.deepEqual([message.content, message.reasoning_content], ["Hi", "Hm."]);
    const next = ownRequest("chat-completions", {
      model: "m",
      messages: [{ role: "user", content: "Hi" }, message, { role: "user", content: "More" }],
      seed: 3,
      safe_prompt: true,
      tool_choice: "required",
      tools: [{ type: "function", function: { name: "f", parameters: {} } }],
      max_completion_tokens: 9,
      stream: true,
      stream_options: { include_usage: true },
    });
    const edits = { model: "m", systemPrompt: "", maxTokens: undefined, reportUsage: false };
    const { body, dropped } = mistral.writeRequest(next, edits);
    assert.deepEqual(dropped, []);
    assert.deepEqual(JSON.parse(body.toString()), {
      safe_prompt: true,
      model: "m",
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content },
        { role: "user", content: "More" },
      ],
      tools: [{ type: "function", function: { name: "f", parameters: {} } }],
      tool_choice: "any",
      max_tokens: 9,
      random_seed: 3,
      stream: true,
    });
  });
});
