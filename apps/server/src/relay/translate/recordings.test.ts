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

/** Who asks: every dialect's chat. */
const CALLERS: readonly Format[] = [openAiChat(), anthropicMessages("2023-06-01"), geminiContent, openAiResponses];

type Tokens = readonly [prompt: number, completion: number];

/** What was recorded, the type of the channel that would have sent it, and what it reports as used, as a whole and as a stream. */
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

/** What everybody who asks must get. */
interface Told {
  text: string;
  calls: { name: string; input: unknown }[];
  finish: string;
  usage: Tokens | undefined;
}

const translate = createTranslate(
  (text) => text.length,
  () => 1_700_000_000,
);

function askOf(format: Format, stream: boolean) {
  const shape: RequestShape = {
    endpoint: "chat-completions",
    format,
    required: ["asked"],
    limits: [],
    wantsUsage: () => true,
    mostPriceFactor: () => 1,
  };
  const thinking = { thinkingConfig: { includeThoughts: true } };
  const body = {
    model: "m",
    prompt: "Hi",
    asked: true,
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

/** What a recording says, read by nothing but the names of its fields. */
function recorded(answers: readonly JsonRecord[]): Told {
  const told: Told = { text: "", calls: [], finish: "", usage: undefined };
  const inputs = new Map<unknown, { name: string; text: string }>();
  for (const raw of answers) {
    // Bedrock's events stand under their names.
    const answer = {
      ...raw,
      ...recordOf(raw.output),
      ...recordOf(raw.messageStop),
      ...recordOf(raw.contentBlockDelta),
    };
    for (const choice of listOf(answer.choices).map(recordOf)) {
      const message = recordOf(choice.delta ?? choice.message);
      told.text += contentOf(message.content);
      told.finish = textOf(choice.finish_reason) || told.finish;
    }
    for (const candidate of listOf(answer.candidates).map(recordOf)) {
      for (const part of listOf(recordOf(candidate.content).parts).map(recordOf)) {
        if (part.thought !== true) told.text += textOf(part.text);
        const call = recordOf(part.functionCall);
        if (part.functionCall !== undefined) told.calls.push({ name: textOf(call.name), input: call.args });
      }
      told.finish = textOf(candidate.finishReason) || told.finish;
    }
    for (const block of listOf(answer.content).map(recordOf)) {
      told.text += textOf(block.text);
      if (block.type === "tool_use") told.calls.push({ name: textOf(block.name), input: block.input });
    }
    const delta = recordOf(answer.delta);
    told.text += textOf(delta.text);
    const message = recordOf(answer.message ?? delta.message);
    told.text += contentOf(isRecord(message.content) ? [message.content] : message.content);
    for (const use of listOf(message.content).map((block) => recordOf(recordOf(block).toolUse))) {
      if (use.name !== undefined) told.calls.push({ name: textOf(use.name), input: use.input });
    }
    const { contentBlockIndex, start } = recordOf(answer.contentBlockStart);
    const begun = recordOf(recordOf(start).toolUse);
    if (begun.name !== undefined) inputs.set(contentBlockIndex, { name: textOf(begun.name), text: "" });
    const used = inputs.get(answer.contentBlockIndex);
    if (used !== undefined) used.text += textOf(recordOf(delta.toolUse).input);
    for (const call of listOf(message.tool_calls).map((each) => recordOf(recordOf(each).function))) {
      told.calls.push({ name: textOf(call.name), input: parseJson(textOf(call.arguments)) });
    }
    const piece = isRecord(message.tool_calls) ? recordOf(message.tool_calls.function) : undefined;
    if (answer.type === "tool-call-start") inputs.set(answer.index, { name: textOf(piece?.name), text: "" });
    const open = inputs.get(answer.index);
    if (open !== undefined) open.text += textOf(piece?.arguments);
    told.finish = textOf(answer.finish_reason) || textOf(delta.finish_reason) || told.finish;
    const block = recordOf(answer.content_block);
    if (block.type === "tool_use") inputs.set(answer.index, { name: textOf(block.name), text: "" });
    const input = inputs.get(answer.index);
    if (input !== undefined) input.text += textOf(delta.partial_json);
    told.finish = textOf(answer.stopReason) || textOf(answer.stop_reason) || textOf(delta.stop_reason) || told.finish;
  }
  for (const { name, text } of inputs.values()) told.calls.push({ name, input: text === "" ? {} : parseJson(text) });
  return { ...told, finish: meaningOf(told.finish, told.calls.length > 0) };
}

function contentOf(content: unknown): string {
  const parts = listOf(content).map((part) => textOf(recordOf(part).text));
  return textOf(content) + parts.join("");
}

/** What each provider calls the same end. */
function meaningOf(finish: string, hasCalls: boolean): string {
  if (/^(?:length|max_tokens|MAX_TOKENS)$/.test(finish)) return "length";
  return hasCalls ? "tool-calls" : "stop";
}

/** What a caller makes of a stream. */
function heard(format: Format, bytes: Buffer): Told {
  const splitter = new EventSplitter(Number.POSITIVE_INFINITY);
  const decoder = format.chat?.decode();
  const events = [...splitter.push(bytes), splitter.flush()].flatMap((event): readonly ChatEvent[] => {
    const { name, data } = readServerSentEvent(event);
    return data === "" ? [] : (decoder?.read(name, data) ?? []);
  });
  const told: Told = { text: "", calls: [], finish: "", usage: undefined };
  const calls = new Map<number, { name: string; text: string }>();
  for (const event of events) {
    if (event.type === "text-delta") told.text += event.text;
    if (event.type === "tool-call-start") calls.set(event.call, { name: event.name, text: "" });
    const call = event.type === "tool-input-delta" ? calls.get(event.call) : undefined;
    if (call !== undefined && event.type === "tool-input-delta") call.text += event.text;
    if (event.type === "answer-finish") told.finish = event.finish.reason;
    if (event.type === "usage-report") told.usage = sumOf(event.usage);
  }
  for (const { name, text } of calls.values()) told.calls.push({ name, input: parseJson(text) });
  return told;
}

function sumOf(usage: Usage): Tokens {
  return [usage.promptTokens, usage.completionTokens];
}

function toldByParts(parts: readonly MessagePart[]): Pick<Told, "text" | "calls"> {
  return {
    text: parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
    calls: parts.flatMap((part) =>
      part.type === "tool-call" ? [{ name: part.name, input: parseJson(part.input) }] : [],
    ),
  };
}

/** The bytes that a provider sent, and what they said. */
interface RecordedStream {
  readonly bytes: Buffer;
  readonly chunks: readonly JsonRecord[];
  /** Where each event ends. */
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

/** Sends the pieces through a stream; what leaves, its end included. */
function pass(stream: AnswerStream, pieces: Iterable<Buffer>): Buffer {
  const out: Buffer[] = [];
  for (const piece of pieces) out.push(stream.push(piece) ?? Buffer.alloc(0));
  out.push(stream.finish() ?? Buffer.alloc(0), stream.closing);
  return Buffer.concat(out);
}

/**
 * All recordings come byte by byte, which cuts them everywhere; short ones also in pieces of about an event, once for each place where the
 * first one may end, so that more than the rest of an event follows each of their bytes. Long ones come in pieces that end at, or a byte or
 * two beside, the end of each event, and in those of two sizes that begin at some of the places where they may.
 */
const SHORT_BYTES = 2_500;
const EVENT_BYTES = 256;
const BESIDE_END = [-2, -1, 0, 1, 2];
const SAMPLES = [
  { pieceBytes: 97, stepBytes: 12 },
  { pieceBytes: 1_460, stepBytes: 131 },
];

/** The bytes, cut after the first ones and then each time that so many have come. */
function* piecesOf(bytes: Buffer, firstBytes = 1, pieceBytes = 1): Generator<Buffer> {
  yield bytes.subarray(0, firstBytes);
  for (let at = firstBytes; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

/** Each way to cut a stream, and what to call it. */
function* waysToCut(bytes: Buffer, ends: readonly number[]): Generator<readonly [string, Iterable<Buffer>]> {
  yield ["byte by byte", piecesOf(bytes)];
  if (bytes.length <= SHORT_BYTES) return yield* cutInPieces(bytes, EVENT_BYTES, 1);
  for (const beside of BESIDE_END) {
    const places = ends.map((end) => end + beside);
    yield [`${beside} bytes behind each event`, cutAt(bytes, places)];
  }
  for (const { pieceBytes, stepBytes } of SAMPLES) yield* cutInPieces(bytes, pieceBytes, stepBytes);
}

/** In pieces of a size, from different places on. */
function* cutInPieces(bytes: Buffer, pieceBytes: number, stepBytes: number) {
  for (let first = 1; first <= pieceBytes; first += stepBytes)
    yield [`at ${first} and every ${pieceBytes} bytes after it`, piecesOf(bytes, first, pieceBytes)] as const;
}

function* cutAt(bytes: Buffer, places: readonly number[]): Generator<Buffer> {
  for (const [index, place] of [0, ...places].entries()) yield bytes.subarray(place, places[index]);
}

/** The text of a stream with numbers in place of the ids that are made anew for each. */
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
      it(`is told as it was to callers of ${format.name}, as a whole and as a stream, wherever that is cut`, () => {
        const translation = translationOf(format, type);
        const answer = recordOf(parseJson(read(`${name}.json`)));
        const whole = translation.readAnswer(askOf(format, false), 200, {}, Buffer.from(JSON.stringify(answer)));
        assert.ok(whole.ok && whole.usage !== undefined);
        assert.deepEqual(sumOf(whole.usage), wholeTokens);
        const told = format.chat?.readAnswer(recordOf(parseJson(whole.bytes.toString())));
        const choice = told?.choices[0];
        assert.ok(choice !== undefined && told?.usage !== undefined);
        const said = { ...toldByParts(choice.parts), finish: choice.finish.reason, usage: sumOf(told.usage) };
        assert.deepEqual(said, { ...recorded([answer]), usage: wholeTokens });

        const { bytes, chunks, ends } = streamOf(name);
        const ask = askOf(format, true);
        const open = () => translation.openStream(ask);
        const stream = open();
        const once = pass(stream, [bytes]);
        assert.equal(stream.state, "complete");
        assert.deepEqual(stream.usage && sumOf(stream.usage), streamTokens);
        assert.deepEqual(heard(format, once), { ...recorded(chunks), usage: streamTokens });
        for (const [way, pieces] of waysToCut(bytes, ends))
          assert.equal(withPlainIds(pass(open(), pieces)), withPlainIds(once), `cut ${way} it is another stream`);
      });
    }

    it("is told as a text to callers of completions, as a whole and as a stream, wherever that is cut", () => {
      const translation = translationOf(openAiCompletions, type);
      const answer = recordOf(parseJson(read(`${name}.json`)));
      const whole = translation.readAnswer(
        askOf(openAiCompletions, false),
        200,
        {},
        Buffer.from(JSON.stringify(answer)),
      );
      assert.ok(whole.ok);
      const completion = recordOf(parseJson(whole.bytes.toString()));
      assert.deepEqual([completedText(completion), tokensOf(completion)], [recorded([answer]).text, wholeTokens]);
      const { bytes, chunks } = streamOf(name);
      const open = () => translation.openStream(askOf(openAiCompletions, true));
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

  it("passes by the byte as a completion of OpenAI's, as a whole and as a stream, wherever that is cut", () => {
    const service = providerOf(1)?.serve("completions", "gpt-3.5-turbo-instruct");
    assert.ok(service?.exact === true);
    const translation = translate(service.format, service);
    const whole = Buffer.from(read("openai/completion.json"));
    const passed = translation.readAnswer(callAt("completions", service.format, { model: "m" }), 200, {}, whole);
    assert.ok(passed.ok && passed.usage !== undefined);
    assert.deepEqual([passed.bytes, sumOf(passed.usage)], [whole, [14, 16]]);
    const ask = callAt("completions", service.format, {
      model: "m",
      stream: true,
      stream_options: { include_usage: true },
    });
    const { bytes } = streamOf("openai/completion");
    for (const pieces of [[bytes], piecesOf(bytes)]) {
      const stream = translation.openStream(ask);
      assert.equal(pass(stream, pieces).toString(), bytes.toString());
      assert.deepEqual([stream.state, stream.usage && sumOf(stream.usage)], ["complete", [14, 16]]);
    }
  });

  it("is told to callers of OpenAI's embeddings with the numbers and the usage of Cohere's", () => {
    const format = providerOf(1)?.serve("embeddings", "m")?.format;
    const service = providerOf(35)?.serve("embeddings", "embed-v4.0");
    assert.ok(service !== undefined && format !== undefined && "edit" in format);
    const recording = recordOf(parseJson(read("cohere/embedding.json")));
    const ask = callAt("embeddings", format, { model: "m", input: recording.texts });
    const told = translate(format, service).readAnswer(ask, 200, {}, Buffer.from(JSON.stringify(recording)));
    assert.ok(told.ok);
    const { data, usage } = recordOf(parseJson(told.bytes.toString()));
    const vectors = listOf(data).map((item) => recordOf(item).embedding);
    assert.deepEqual(vectors, recordOf(recording.embeddings).float);
    assert.deepEqual(usage, { prompt_tokens: 10, total_tokens: 10 });
  });
});
