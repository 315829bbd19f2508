import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { encodeAwsMessage } from "@one-api/providers/vendors/aws/stub/aws-messages";
import type { Format } from "@one-api/providers/format";
import { anthropicMessages } from "@one-api/providers/protocols/anthropic-messages/anthropic-messages";
import { geminiContent } from "@one-api/providers/protocols/gemini/gemini";
import { openAiCompletions } from "@one-api/providers/protocols/openai-chat/completions/openai-completions";
import { openAiChat } from "@one-api/providers/protocols/openai-chat/openai-chat";
import { openAiResponses } from "@one-api/providers/protocols/openai-responses/openai-responses";
import { EventSplitter } from "@one-api/providers/framing/event-splitter";
import { readServerSentEvent, writeServerSentEvent } from "@one-api/providers/framing/server-sent-event";
import type { ChatEvent } from "@one-api/providers/neutral/chat-answer";
import type { MessagePart } from "@one-api/providers/neutral/message-part";
import { providerOf } from "@one-api/providers/registry";
import { isRecord, type JsonRecord, listOf, parseJson, recordOf, textOf } from "@one-api/providers/shared/json-fields";
import type { Usage } from "@one-api/providers/usage";
import { parseRequest, readBody, type RequestShape } from "../body/index.ts";
import { createTranslate } from "./choose-translation.ts";
import type { AnswerStream } from "./translation.ts";

const directory = process.env.RECORDINGS_DIR ?? join(import.meta.dirname, "../../../../../../shared/recordings");
const skip = existsSync(directory) ? false : `no recordings in ${directory}: set RECORDINGS_DIR`;

/** Formats of callers. */
const CALLERS: readonly Format[] = [openAiChat(), anthropicMessages("2023-06-01"), geminiContent, openAiResponses];

type Tokens = readonly [prompt: number, completion: number];

/** Recordings with their channel type and reported usage, whole and streamed. */
const RECORDINGS: readonly (readonly [name: string, type: number, whole: Tokens, stream: Tokens])[] = [
  ["openai/text", 1, [16, 363], [16, 300]],
  ["deepseek/text", 36, [13, 300], [13, 400]],
  ["groq/text", 29, [45, 607], [45, 662]],
  ["mistral/text", 28, [13, 434], [13, 8]],
  ["moonshot/text", 25, [9, 5], [9, 12]],
  ["xai/text", 45, [12, 229], [12, 291]],
  ["alibaba/text", 17, [18, 1_064], [18, 779]],
  ["anthropic/text", 14, [12, 29], [12, 30]],
  ["anthropic/tool-no-args", 14, [602, 93], [565, 48]],
  ["gemini/text", 24, [9, 272], [9, 208]],
  ["gemini/tool-call", 24, [29, 908], [29, 60]],
  ["aws-bedrock/converse-text", 33, [22, 57], [22, 55]],
  ["aws-bedrock/converse-tool-call", 33, [10, 20], [125, 45]],
  ["cohere/text", 35, [507, 10], [507, 10]],
  ["cohere/tool-call", 35, [1_549, 103], [1_549, 95]],
];

/** Expected content for every caller. */
interface Content {
  text: string;
  calls: { name: string; input: unknown }[];
  finish: string;
  usage: Tokens | undefined;
}

const translate = createTranslate(
  (text) => text.length,
  () => 1_700_000_000,
);

function requestOf(format: Format, stream: boolean) {
  const shape: RequestShape = {
    endpoint: "chat-completions",
    format,
    required: ["present"],
    limits: [],
    wantsUsage: () => true,
    mostPriceFactor: () => 1,
  };
  const thinking = { thinkingConfig: { includeThoughts: true } };
  const body = {
    model: "m",
    prompt: "Hi",
    present: true,
    stream,
    stream_options: { include_usage: true },
    generationConfig: thinking,
  };
  return parseRequest(shape, readBody(Buffer.from(JSON.stringify(body))));
}

function translationOf(format: Format, type: number) {
  const service = providerOf(type)?.serve("chat-completions", "m");
  assert.ok(service !== undefined);
  return translate(format, service);
}

function read(name: string): string {
  return readFileSync(join(directory, name), "utf8");
}

/** The content of a recording, read by the names of its fields only. */
function recorded(answers: readonly JsonRecord[]): Content {
  const content: Content = { text: "", calls: [], finish: "", usage: undefined };
  const inputs = new Map<unknown, { name: string; text: string }>();
  for (const raw of answers) {
    // Bedrock's events are named by their field.
    const answer = {
      ...raw,
      ...recordOf(raw.output),
      ...recordOf(raw.messageStop),
      ...recordOf(raw.contentBlockDelta),
    };
    for (const choice of listOf(answer.choices).map(recordOf)) {
      const message = recordOf(choice.delta ?? choice.message);
      content.text += contentOf(message.content);
      content.finish = textOf(choice.finish_reason) || content.finish;
    }
    for (const candidate of listOf(answer.candidates).map(recordOf)) {
      for (const part of listOf(recordOf(candidate.content).parts).map(recordOf)) {
        if (part.thought !== true) content.text += textOf(part.text);
        const call = recordOf(part.functionCall);
        if (part.functionCall !== undefined) content.calls.push({ name: textOf(call.name), input: call.args });
      }
      content.finish = textOf(candidate.finishReason) || content.finish;
    }
    for (const block of listOf(answer.content).map(recordOf)) {
      content.text += textOf(block.text);
      if (block.type === "tool_use") content.calls.push({ name: textOf(block.name), input: block.input });
    }
    const delta = recordOf(answer.delta);
    content.text += textOf(delta.text);
    const message = recordOf(answer.message ?? delta.message);
    content.text += contentOf(isRecord(message.content) ? [message.content] : message.content);
    for (const use of listOf(message.content).map((block) => recordOf(recordOf(block).toolUse))) {
      if (use.name !== undefined) content.calls.push({ name: textOf(use.name), input: use.input });
    }
    const { contentBlockIndex, start } = recordOf(answer.contentBlockStart);
    const begun = recordOf(recordOf(start).toolUse);
    if (begun.name !== undefined) inputs.set(contentBlockIndex, { name: textOf(begun.name), text: "" });
    const used = inputs.get(answer.contentBlockIndex);
    if (used !== undefined) used.text += textOf(recordOf(delta.toolUse).input);
    for (const call of listOf(message.tool_calls).map((each) => recordOf(recordOf(each).function))) {
      content.calls.push({ name: textOf(call.name), input: parseJson(textOf(call.arguments)) });
    }
    const piece = isRecord(message.tool_calls) ? recordOf(message.tool_calls.function) : undefined;
    if (answer.type === "tool-call-start") inputs.set(answer.index, { name: textOf(piece?.name), text: "" });
    const open = inputs.get(answer.index);
    if (open !== undefined) open.text += textOf(piece?.arguments);
    content.finish = textOf(answer.finish_reason) || textOf(delta.finish_reason) || content.finish;
    const block = recordOf(answer.content_block);
    if (block.type === "tool_use") inputs.set(answer.index, { name: textOf(block.name), text: "" });
    const input = inputs.get(answer.index);
    if (input !== undefined) input.text += textOf(delta.partial_json);
    content.finish =
      textOf(answer.stopReason) || textOf(answer.stop_reason) || textOf(delta.stop_reason) || content.finish;
  }
  for (const { name, text } of inputs.values()) content.calls.push({ name, input: text === "" ? {} : parseJson(text) });
  return { ...content, finish: meaningOf(content.finish, content.calls.length > 0) };
}

function contentOf(content: unknown): string {
  const parts = listOf(content).map((part) => textOf(recordOf(part).text));
  return textOf(content) + parts.join("");
}

/** Maps the providers' finish reasons. */
function meaningOf(finish: string, hasCalls: boolean): string {
  if (/^(?:length|max_tokens|MAX_TOKENS)$/.test(finish)) return "length";
  return hasCalls ? "tool-calls" : "stop";
}

/** The stream as the caller reads it. */
function received(format: Format, bytes: Buffer): Content {
  const splitter = new EventSplitter(Number.POSITIVE_INFINITY);
  const decoder = format.chat?.decode();
  const events = [...splitter.push(bytes), splitter.flush()].flatMap((event): readonly ChatEvent[] => {
    const { name, data } = readServerSentEvent(event);
    return data === "" ? [] : (decoder?.read(name, data) ?? []);
  });
  const content: Content = { text: "", calls: [], finish: "", usage: undefined };
  const calls = new Map<number, { name: string; text: string }>();
  for (const event of events) {
    if (event.type === "text-delta") content.text += event.text;
    if (event.type === "tool-call-start") calls.set(event.call, { name: event.name, text: "" });
    const call = event.type === "tool-input-delta" ? calls.get(event.call) : undefined;
    if (call !== undefined && event.type === "tool-input-delta") call.text += event.text;
    if (event.type === "answer-finish") content.finish = event.finish.reason;
    if (event.type === "usage-report") content.usage = sumOf(event.usage);
  }
  for (const { name, text } of calls.values()) content.calls.push({ name, input: parseJson(text) });
  return content;
}

function sumOf(usage: Usage): Tokens {
  return [usage.promptTokens, usage.completionTokens];
}

function contentOfParts(parts: readonly MessagePart[]): Pick<Content, "text" | "calls"> {
  return {
    text: parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
    calls: parts.flatMap((part) =>
      part.type === "tool-call" ? [{ name: part.name, input: parseJson(part.input) }] : [],
    ),
  };
}

/** Bytes of a provider and their content. */
interface RecordedStream {
  readonly bytes: Buffer;
  readonly chunks: readonly JsonRecord[];
  /** End of each event. */
  readonly ends: readonly number[];
}

function streamOf(name: string): RecordedStream {
  const lines = read(`${name}.chunks.txt`)
    .split("\n")
    .filter((line) => line.startsWith("{"));
  const chunks = lines.map((line) => recordOf(parseJson(line)));
  if (name.startsWith("aws-bedrock")) {
    const messages = chunks.flatMap((chunk) =>
      Object.entries(chunk).map(([event, payload]) => encodeAwsMessage(event, JSON.stringify(payload))),
    );
    return { ...inOne(messages), chunks };
  }
  const isAnthropic = name.startsWith("anthropic");
  const events = lines.map((line) =>
    writeServerSentEvent(isAnthropic ? textOf(recordOf(parseJson(line)).type) : "", line),
  );
  const end = isAnthropic || name.startsWith("gemini") ? [] : [writeServerSentEvent("", "[DONE]")];
  return { ...inOne([...events, ...end].map((event) => Buffer.from(event))), chunks };
}

function inOne(events: readonly Buffer[]): Pick<RecordedStream, "bytes" | "ends"> {
  let length = 0;
  const ends = events.map((event) => (length += event.length));
  return { bytes: Buffer.concat(events), ends };
}

/** Sends chunks through a stream. Returns the output including its end. */
function pass(stream: AnswerStream, pieces: Iterable<Buffer>): Buffer {
  const out: Buffer[] = [];
  for (const piece of pieces) out.push(stream.push(piece) ?? Buffer.alloc(0));
  out.push(stream.finish() ?? Buffer.alloc(0), stream.closing);
  return Buffer.concat(out);
}

/**
 * Chunks for all recordings: one byte each. Short ones also in chunks of one event at every offset. Long ones also near
 * the end of each event, and in two chunk sizes at sampled offsets.
 */
const SHORT_BYTES = 2_500;
const EVENT_BYTES = 256;
const NEAR_END = [-2, -1, 0, 1, 2];
const SAMPLES = [
  { pieceBytes: 97, strideBytes: 12 },
  { pieceBytes: 1_460, strideBytes: 131 },
];

/** The bytes in chunks, the first with its own size. */
function* piecesOf(bytes: Buffer, firstBytes = 1, pieceBytes = 1): Generator<Buffer> {
  yield bytes.subarray(0, firstBytes);
  for (let at = firstBytes; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

/** All chunkings of a stream, with names. */
function* chunkings(bytes: Buffer, ends: readonly number[]): Generator<readonly [string, Iterable<Buffer>]> {
  yield ["byte by byte", piecesOf(bytes)];
  if (bytes.length <= SHORT_BYTES) return yield* chunksOfSize(bytes, EVENT_BYTES, 1);
  for (const distance of NEAR_END) {
    const offsets = ends.map((end) => end + distance);
    yield [`${distance} bytes after each event`, chunksAt(bytes, offsets)];
  }
  for (const { pieceBytes, strideBytes } of SAMPLES) yield* chunksOfSize(bytes, pieceBytes, strideBytes);
}

/** Chunks of one size at different offsets. */
function* chunksOfSize(bytes: Buffer, pieceBytes: number, strideBytes: number) {
  for (let first = 1; first <= pieceBytes; first += strideBytes)
    yield [`at ${first} and every ${pieceBytes} bytes after it`, piecesOf(bytes, first, pieceBytes)] as const;
}

function* chunksAt(bytes: Buffer, offsets: readonly number[]): Generator<Buffer> {
  for (const [index, offset] of [0, ...offsets].entries()) yield bytes.subarray(offset, offsets[index]);
}

/** The text with generated ids replaced by numbers. */
function withPlainIds(bytes: Buffer): string {
  const numbers = new Map<string, number>();
  return bytes.toString().replaceAll(/[0-9a-f]{24}/g, (id) => {
    const number = numbers.get(id) ?? numbers.size;
    numbers.set(id, number);
    return String(number);
  });
}

for (const [name, type, wholeTokens, streamTokens] of RECORDINGS) {
  describe(`the recording ${name}`, { skip }, () => {
    for (const format of CALLERS) {
      it(`has the same content for callers of ${format.name}, whole and streamed, with any chunking`, () => {
        const translation = translationOf(format, type);
        const answer = recordOf(parseJson(read(`${name}.json`)));
        const whole = translation.readAnswer(requestOf(format, false), 200, {}, Buffer.from(JSON.stringify(answer)));
        assert.ok(whole.ok && whole.usage !== undefined);
        assert.deepEqual(sumOf(whole.usage), wholeTokens);
        const translated = format.chat?.readAnswer(recordOf(parseJson(whole.bytes.toString())));
        const choice = translated?.choices[0];
        assert.ok(choice !== undefined && translated?.usage !== undefined);
        const content = {
          ...contentOfParts(choice.parts),
          finish: choice.finish.reason,
          usage: sumOf(translated.usage),
        };
        assert.deepEqual(content, { ...recorded([answer]), usage: wholeTokens });

        const { bytes, chunks, ends } = streamOf(name);
        const parsed = requestOf(format, true);
        const open = () => translation.openStream(parsed);
        const stream = open();
        const once = pass(stream, [bytes]);
        assert.equal(stream.state, "complete");
        assert.deepEqual(stream.usage && sumOf(stream.usage), streamTokens);
        assert.deepEqual(received(format, once), { ...recorded(chunks), usage: streamTokens });
        for (const [chunking, pieces] of chunkings(bytes, ends))
          assert.equal(withPlainIds(pass(open(), pieces)), withPlainIds(once), `${chunking}: another stream`);
      });
    }

    it("is a text for callers of completions, whole and streamed, with any chunking", () => {
      const translation = translationOf(openAiCompletions, type);
      const answer = recordOf(parseJson(read(`${name}.json`)));
      const whole = translation.readAnswer(
        requestOf(openAiCompletions, false),
        200,
        {},
        Buffer.from(JSON.stringify(answer)),
      );
      assert.ok(whole.ok);
      const completion = recordOf(parseJson(whole.bytes.toString()));
      assert.deepEqual([completedText(completion), tokensOf(completion)], [recorded([answer]).text, wholeTokens]);
      const { bytes, chunks } = streamOf(name);
      const open = () => translation.openStream(requestOf(openAiCompletions, true));
      const once = pass(open(), [bytes]);
      const events = once
        .toString()
        .split("\n")
        .filter((line) => line.startsWith("data: {"));
      const pieces = events.map((line) => recordOf(parseJson(line.slice("data: ".length))));
      assert.equal(pieces.map(completedText).join(""), recorded(chunks).text);
      assert.deepEqual(
        pieces.flatMap((piece) => (isRecord(piece.usage) ? [tokensOf(piece)] : [])),
        [streamTokens],
      );
      assert.equal(withPlainIds(pass(open(), piecesOf(bytes))), withPlainIds(once));
    });
  });
}

function completedText({ choices }: JsonRecord): string {
  return textOf(recordOf(listOf(choices)[0]).text);
}

function tokensOf({ usage }: JsonRecord): readonly unknown[] {
  const { prompt_tokens: prompt, completion_tokens: completion } = recordOf(usage);
  return [prompt, completion];
}

describe("a recording of another endpoint", { skip }, () => {
  const callAt = (endpoint: "completions" | "embeddings", format: Format, body: object) => {
    const shape: RequestShape = {
      endpoint,
      format,
      required: [],
      limits: [],
      wantsUsage: () => true,
      mostPriceFactor: () => 1,
    };
    return parseRequest(shape, readBody(Buffer.from(JSON.stringify(body))));
  };

  it("passes unchanged as an OpenAI completion, whole and streamed, with any chunking", () => {
    const service = providerOf(1)?.serve("completions", "gpt-3.5-turbo-instruct");
    assert.ok(service?.exact === true);
    const translation = translate(service.format, service);
    const whole = Buffer.from(read("openai/completion.json"));
    const passed = translation.readAnswer(callAt("completions", service.format, { model: "m" }), 200, {}, whole);
    assert.ok(passed.ok && passed.usage !== undefined);
    assert.deepEqual([passed.bytes, sumOf(passed.usage)], [whole, [14, 16]]);
    const parsed = callAt("completions", service.format, {
      model: "m",
      stream: true,
      stream_options: { include_usage: true },
    });
    const { bytes } = streamOf("openai/completion");
    for (const pieces of [[bytes], piecesOf(bytes)]) {
      const stream = translation.openStream(parsed);
      assert.equal(pass(stream, pieces).toString(), bytes.toString());
      assert.deepEqual([stream.state, stream.usage && sumOf(stream.usage)], ["complete", [14, 16]]);
    }
  });

  it("has Cohere's numbers and usage for callers of OpenAI's embeddings", () => {
    const format = providerOf(1)?.serve("embeddings", "m")?.format;
    const service = providerOf(35)?.serve("embeddings", "embed-v4.0");
    assert.ok(service !== undefined && format !== undefined && "edit" in format);
    const recording = recordOf(parseJson(read("cohere/embedding.json")));
    const parsed = callAt("embeddings", format, { model: "m", input: recording.texts });
    const translated = translate(format, service).readAnswer(parsed, 200, {}, Buffer.from(JSON.stringify(recording)));
    assert.ok(translated.ok);
    const { data, usage } = recordOf(parseJson(translated.bytes.toString()));
    const vectors = listOf(data).map((item) => recordOf(item).embedding);
    assert.deepEqual(vectors, recordOf(recording.embeddings).float);
    assert.deepEqual(usage, { prompt_tokens: 10, total_tokens: 10 });
  });
});
