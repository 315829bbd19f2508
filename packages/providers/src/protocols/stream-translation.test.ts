import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Format } from "../format.ts";
import type { AnswerEnvelope, ChatSide } from "../format-sides.ts";
import { EventSplitter } from "../framing/event-splitter.ts";
import { readServerSentEvent, writeServerSentEvent } from "../framing/server-sent-event.ts";
import type { ChatEvent } from "../neutral/chat-answer.ts";
import { type JsonRecord, listOf, numberOf, parseJson, recordOf, textOf } from "../shared/json-fields.ts";
import { NO_USAGE } from "../usage.ts";
import { anthropicMessages } from "./anthropic-messages/anthropic-messages.ts";
import { openAiChat } from "./openai-chat/openai-chat.ts";
import { openAiResponses } from "./openai-responses/openai-responses.ts";

const openAi = openAiChat();
const anthropic = anthropicMessages("2023-06-01");
const envelope: AnswerEnvelope = { created: 1_700_000_000, reportUsage: true, request: {} };

function chatOf(format: Format): ChatSide {
  assert.ok(format.chat !== undefined);
  return format.chat;
}

function decode(format: Format, stream: string): readonly ChatEvent[] {
  const decoder = chatOf(format).decode();
  return new EventSplitter()
    .push(Buffer.from(stream))
    .map(readServerSentEvent)
    .flatMap(({ name, data }) => decoder.read(name, data));
}

function encode(format: Format, events: readonly ChatEvent[], own: Partial<AnswerEnvelope> = {}): string {
  const encoder = chatOf(format).encode({ ...envelope, ...own });
  return events.map((event) => encoder.write(event)).join("") + encoder.finish();
}

const dataOf = (stream: string): readonly JsonRecord[] =>
  new EventSplitter().push(Buffer.from(stream)).map((event) => recordOf(parseJson(readServerSentEvent(event).data)));

const anthropicStream = (...events: readonly JsonRecord[]) =>
  events.map((event) => writeServerSentEvent(String(event.type), JSON.stringify(event))).join("");
const openAiStream = (...chunks: readonly JsonRecord[]) =>
  chunks.map((chunk) => writeServerSentEvent("", JSON.stringify(chunk))).join("") + openAi.closing;

const block = (index: number, content_block: JsonRecord) => ({ type: "content_block_start", index, content_block });
const delta = (index: number, fields: JsonRecord) => ({ type: "content_block_delta", index, delta: fields });
const stop = (index: number) => ({ type: "content_block_stop", index });

const thoughtful = anthropicStream(
  {
    type: "message_start",
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude",
      content: [],
      stop_reason: null,
      usage: { input_tokens: 5, cache_creation_input_tokens: 20, cache_read_input_tokens: 100, output_tokens: 1 },
    },
  },
  block(0, { type: "thinking", thinking: "", signature: "" }),
  { type: "ping" },
  delta(0, { type: "thinking_delta", thinking: "Two " }),
  delta(0, { type: "thinking_delta", thinking: "towns." }),
  delta(0, { type: "signature_delta", signature: "c2ln" }),
  stop(0),
  block(1, { type: "redacted_thinking", data: "aGlk" }),
  stop(1),
  block(2, { type: "text", text: "" }),
  delta(2, { type: "text_delta", text: "Let me " }),
  delta(2, { type: "text_delta", text: "look." }),
  stop(2),
  block(3, { type: "tool_use", id: "toolu_1", name: "weather", input: {} }),
  delta(3, { type: "input_json_delta", partial_json: "" }),
  delta(3, { type: "input_json_delta", partial_json: '{"city":' }),
  delta(3, { type: "input_json_delta", partial_json: '"Bonn"}' }),
  stop(3),
  block(4, { type: "tool_use", id: "toolu_2", name: "now", input: {} }),
  stop(4),
  {
    type: "message_delta",
    delta: { stop_reason: "tool_use", stop_sequence: null },
    usage: { output_tokens: 40, output_tokens_details: { thinking_tokens: 9 } },
  },
  { type: "message_stop" },
);

const used = {
  ...NO_USAGE,
  promptTokens: 125,
  completionTokens: 40,
  cachedTokens: 100,
  cacheWriteTokens: 20,
  reasoningTokens: 9,
};

describe("Anthropic's stream for a caller of OpenAI's", () => {
  const chunks = dataOf(encode(openAi, decode(anthropic, thoughtful)));
  const deltas = chunks.flatMap((chunk) => listOf(chunk.choices).map((choice) => recordOf(recordOf(choice).delta)));

  it("retains text, thoughts and their signatures", () => {
    assert.equal(deltas.map(({ content }) => textOf(content)).join(""), "Let me look.");
    assert.equal(deltas.map(({ reasoning_content: thought }) => textOf(thought)).join(""), "Two towns.");
    assert.deepEqual(
      deltas.flatMap(({ reasoning_details: details }) => listOf(details)),
      [
        { type: "reasoning.text", text: "Two ", index: 0 },
        { type: "reasoning.text", text: "towns.", index: 0 },
        { type: "reasoning.text", signature: "c2ln", index: 0 },
        { type: "reasoning.encrypted", data: "aGlk", index: 1 },
      ],
    );
    assert.equal(deltas[0]?.role, "assistant");
  });

  it("numbers the calls and writes missing arguments as an empty object", () => {
    const calls = deltas.flatMap(({ tool_calls: list }) => listOf(list)).map(recordOf);
    const inputOf = (index: number) =>
      calls
        .filter((call) => call.index === index)
        .map((call) => String(recordOf(call.function).arguments))
        .join("");
    assert.deepEqual([inputOf(0), inputOf(1)], ['{"city":"Bonn"}', "{}"]);
    assert.deepEqual(
      calls.flatMap(({ id, index, function: called }) =>
        id === undefined ? [] : [[index, id, recordOf(called).name]],
      ),
      [
        [0, "toolu_1", "weather"],
        [1, "toolu_2", "now"],
      ],
    );
  });

  it("ends with the finish reason and, if requested, the usage", () => {
    const reasons = chunks.flatMap(({ choices }) => listOf(choices).map((choice) => recordOf(choice).finish_reason));
    assert.deepEqual(
      reasons.filter((reason) => reason !== null),
      ["tool_calls"],
    );
    assert.deepEqual(chunks.at(-1)?.usage, {
      prompt_tokens: 125,
      completion_tokens: 40,
      total_tokens: 165,
      prompt_tokens_details: { cached_tokens: 100, audio_tokens: 0, cache_write_tokens: 20 },
      completion_tokens_details: { reasoning_tokens: 9, audio_tokens: 0 },
    });
    const unasked = dataOf(encode(openAi, decode(anthropic, thoughtful), { reportUsage: false }));
    assert.equal(
      unasked.some((chunk) => "usage" in chunk),
      false,
    );
  });

  it("has one id and model in every chunk, and decodes to the same events", () => {
    assert.deepEqual([...new Set(chunks.map(({ id }) => id))], ["chatcmpl-msg_1"]);
    assert.deepEqual([...new Set(chunks.map(({ model }) => model))], ["claude"]);
    const again = decode(openAi, encode(openAi, decode(anthropic, thoughtful)));
    const wanted = decode(anthropic, thoughtful).filter(({ type }) => type !== "usage-report");
    const readAgain = again.filter(({ type }) => type !== "usage-report");
    assert.deepEqual(
      readAgain.slice(1),
      wanted.slice(1, -1).filter(({ type }) => type !== "answer-start"),
    );
    assert.deepEqual(again.at(-1), { type: "usage-report", usage: used });
  });
});

it("Anthropic's stream, decoded and encoded again, has the same content", () => {
  const events = decode(anthropic, thoughtful);
  const again = decode(anthropic, encode(anthropic, events));
  const told = (list: readonly ChatEvent[]) => list.filter(({ type }) => type !== "usage-report");
  assert.deepEqual(told(again), told(events).slice(0, -1));
});

describe("a stream of OpenAI's for a caller of Anthropic's", () => {
  const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "gpt" };
  const choice = (fields: JsonRecord, finish_reason: string | null = null) => ({
    ...head,
    choices: [{ index: 0, delta: fields, finish_reason }],
  });
  const call = (index: number, fields: JsonRecord) => choice({ tool_calls: [{ index, ...fields }] });
  const stream = openAiStream(
    choice({ role: "assistant", content: "" }),
    choice({ reasoning_content: "Hm." }),
    choice({ content: "Let me " }),
    choice({ content: "look." }),
    call(0, { id: "c0", type: "function", function: { name: "weather", arguments: "" } }),
    call(0, { function: { arguments: '{"city":"Bonn"}' } }),
    call(1, { id: "c1", type: "function", function: { name: "now", arguments: "{}" } }),
    choice({}, "stop"),
    {
      ...head,
      choices: [],
      usage: { prompt_tokens: 30, completion_tokens: 9, prompt_tokens_details: { cached_tokens: 10 } },
    },
  );

  it("has consecutive blocks, with the finish reason and the usage at the end", () => {
    const events = dataOf(encode(anthropic, decode(openAi, stream)));
    assert.deepEqual(
      events.map(({ type, index }) => `${textOf(type)} ${numberOf(index) ?? ""}`.trim()),
      [
        "message_start",
        ...[
          [0, 2],
          [1, 2],
          [2, 1],
          [3, 1],
        ].flatMap(([index, pieces]) => [
          `content_block_start ${String(index)}`,
          ...Array.from({ length: pieces ?? 0 }, () => `content_block_delta ${String(index)}`),
          `content_block_stop ${String(index)}`,
        ]),
        "message_delta",
      ],
    );
    const blocks = events.flatMap(({ content_block: started }) =>
      started === undefined ? [] : [recordOf(started).type],
    );
    assert.deepEqual(blocks, ["thinking", "text", "tool_use", "tool_use"]);
    assert.deepEqual(events.at(-1), {
      type: "message_delta",
      delta: { stop_reason: "tool_use", stop_sequence: null },
      usage: { input_tokens: 20, cache_creation_input_tokens: 0, cache_read_input_tokens: 10, output_tokens: 9 },
    });
  });

  it("has each call's arguments in its own block, even if deltas of several calls alternate", () => {
    const begin = (index: number, input = "") =>
      call(index, { id: `c${index}`, type: "function", function: { name: `f${index}`, arguments: input } });
    const grow = (index: number, text: string) => call(index, { function: { arguments: text } });
    const mixed = openAiStream(
      begin(0),
      begin(1, '{"b":'),
      grow(0, '{"a":"}'),
      begin(2),
      grow(1, "1"),
      grow(0, '"}'),
      grow(1, "}"),
      begin(3, "{}"),
      choice({}, "tool_calls"),
    );
    const events = dataOf(encode(anthropic, decode(openAi, mixed))).filter(({ index }) => index !== undefined);
    const open: unknown[] = [];
    const inputs: string[] = [];
    const names: unknown[] = [];
    for (const { type, index, content_block: started, delta: grown } of events) {
      if (type === "content_block_start") open.push(index);
      assert.deepEqual(open, [index], "one block is open, and it is the one that is written");
      if (type === "content_block_stop") open.pop();
      if (type === "content_block_start") names.push(recordOf(started).name);
      const at = names.length - 1;
      inputs[at] = (inputs[at] ?? "") + textOf(recordOf(grown).partial_json);
    }
    assert.deepEqual(names, ["f0", "f1", "f2", "f3"]);
    assert.deepEqual(inputs, ['{"a":"}"}', '{"b":1}', "", "{}"]);
  });

  it("has the fields of the caller's version", () => {
    const events = dataOf(encode(anthropicMessages("2026-10-21"), decode(openAi, stream)));
    const { message } = recordOf(events[0]);
    assert.deepEqual(Object.keys(recordOf(message)).toSorted(), [
      "container",
      "content",
      "diagnostics",
      "id",
      "model",
      "role",
      "stop_details",
      "stop_reason",
      "stop_sequence",
      "type",
      "usage",
    ]);
    assert.equal(recordOf(events[1]?.content_block).type, "thinking");
    assert.deepEqual(recordOf(events.at(-1)?.delta).stop_details, null);
    assert.deepEqual(recordOf(recordOf(events.at(-1)).usage).output_tokens_details, { thinking_tokens: 0 });
  });

  it("ends with OpenAI's reasons for a limit and a filter", () => {
    const reasonOf = (finish: string) =>
      recordOf(
        dataOf(encode(anthropic, decode(openAi, openAiStream(choice({ content: "x" }), choice({}, finish))))).at(-1)
          ?.delta,
      ).stop_reason;
    assert.deepEqual(["length", "content_filter", "stop", "odd"].map(reasonOf), [
      "max_tokens",
      "refusal",
      "end_turn",
      "end_turn",
    ]);
  });

  it("has a valid start and end without any content", () => {
    const events = dataOf(encode(anthropic, decode(openAi, openAiStream(choice({}, "stop")))));
    assert.deepEqual(
      events.map(({ type }) => type),
      ["message_start", "message_delta"],
    );
  });
});

describe("imitators of OpenAI's format", () => {
  const choice = (fields: JsonRecord, finish_reason: string | null = null) => ({
    id: "1",
    model: "m",
    choices: [{ index: 0, delta: fields, finish_reason }],
  });

  it("have content as parts, thoughts included", () => {
    const events = decode(
      openAi,
      openAiStream(
        choice({ content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm." }] }] }),
        choice({ content: [{ type: "text", text: "Hi" }] }),
      ),
    );
    assert.deepEqual(events.slice(1, -1), [
      { type: "reasoning-delta", choice: 0, text: "Hm." },
      { type: "text-delta", choice: 0, text: "Hi" },
    ]);
  });

  it("omit indexes of calls", () => {
    const events = decode(
      openAi,
      openAiStream(
        choice({ tool_calls: [{ id: "a", function: { name: "f", arguments: '{"x":1}' } }] }),
        choice({ tool_calls: [{ id: "b", function: { name: "g", arguments: { y: 2 } } }] }),
        choice({ tool_calls: [{ index: 2, function: { name: "h", arguments: "{}" } }] }, "tool_calls"),
      ),
    );
    assert.deepEqual(
      events.filter(({ type }) => type.startsWith("tool")),
      [
        { type: "tool-call-start", choice: 0, call: 0, id: "a", name: "f" },
        { type: "tool-input-delta", choice: 0, call: 0, text: '{"x":1}' },
        { type: "tool-call-start", choice: 0, call: 1, id: "b", name: "g" },
        { type: "tool-input-delta", choice: 0, call: 1, text: '{"y":2}' },
        { type: "tool-call-start", choice: 0, call: 2, id: "", name: "h" },
        { type: "tool-input-delta", choice: 0, call: 2, text: "{}" },
      ],
    );
  });

  it("report usage in other fields, and several answers at once", () => {
    const two = { id: "1", model: "m", choices: [0, 1].map((index) => ({ index, delta: { content: `${index}` } })) };
    const events = decode(
      openAi,
      openAiStream(two, {
        ...choice({}, "stop"),
        x_groq: { usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } },
      }),
    );
    const chunks = dataOf(encode(openAi, events));
    assert.deepEqual(
      chunks.slice(0, 2).map((chunk) => recordOf(listOf(chunk.choices)[0])),
      [0, 1].map((index) => ({
        index,
        delta: { role: "assistant", content: `${index}` },
        logprobs: null,
        finish_reason: null,
      })),
    );
    assert.equal(recordOf(chunks.at(-1)?.usage).total_tokens, 5);
  });
});

it("a stream of the Responses API yields a call's arguments once, from deltas or from the whole item", () => {
  const begun = (output_index: number) => ({
    type: "response.output_item.added",
    output_index,
    item: { type: "function_call", call_id: `c${output_index}`, name: "f", arguments: "" },
  });
  const done = (output_index: number) => ({
    type: "response.output_item.done",
    output_index,
    item: { type: "function_call", call_id: `c${output_index}`, name: "f", arguments: '{"x":1}' },
  });
  const piece = { type: "response.function_call_arguments.delta", output_index: 0, delta: '{"x":1}' };
  const stream = anthropicStream(begun(0), piece, done(0), begun(1), done(1));
  const inputs = decode(openAiResponses, stream).filter(({ type }) => type === "tool-input-delta");
  assert.deepEqual(inputs, [
    { type: "tool-input-delta", choice: 0, call: 0, text: '{"x":1}' },
    { type: "tool-input-delta", choice: 0, call: 1, text: '{"x":1}' },
  ]);
});

describe("errors inside a stream", () => {
  it("are failures of their kind in every format", () => {
    const overloaded = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    const [fromAnthropic] = decode(anthropic, anthropicStream(overloaded));
    assert.equal(fromAnthropic?.type === "error" && fromAnthropic.failure.kind, "overloaded");
    const [broken] = decode(anthropic, anthropicStream({ ...overloaded, error: { type: "api_error", message: "x" } }));
    assert.equal(broken?.type === "error" && broken.failure.kind, "broken-stream");
    const [fromOpenAi] = decode(openAi, openAiStream({ error: { message: "x", type: "server_error" } }));
    assert.equal(fromOpenAi?.type === "error" && fromOpenAi.failure.kind, "broken-stream");
  });
});
