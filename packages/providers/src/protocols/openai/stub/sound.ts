import { reportUsage } from "../../../stub-kit/report-usage.ts";
import { readModel } from "../../../stub-kit/read-model.ts";
import { isJsonObject, type JsonObject } from "../../../stub-kit/json-fields.ts";
import { openAiErrorBody, RequestRefused } from "../../../stub-kit/refusal.ts";
import type { Call, Reply, StreamEvent } from "../../../stub-kit/call.ts";
import { countWords } from "../../../stub-kit/prompt.ts";

/** Ten characters are one second of audio: 48,000 bytes of PCM, 8,000 of MP3. */
const CHARACTERS_PER_SECOND = 10;
const BYTES_PER_SECOND: Readonly<Record<string, number>> = { pcm: 48_000, mp3: 8_000 };
/** MPEG 2, layer 3, 64 kbit/s. */
const MP3_HEADER = Buffer.from([0xff, 0xf3, 0x84, 0xc0]);
const CONTENT_TYPES: Readonly<Record<string, string>> = { pcm: "audio/pcm", mp3: "audio/mpeg" };
const TOKENS_PER_SECOND = 20;

/** Silence, a tenth of a second per character, in chunks of one second. */
export function speech(call: Call): Reply {
  const model = readModel(call);
  const { body, behaviour } = call;
  const input = body["input"];
  if (typeof input !== "string" || input === "" || body["voice"] === undefined) {
    throw new RequestRefused(400, openAiErrorBody("Missing required parameter.", { param: "input" }));
  }
  const format = typeof body["response_format"] === "string" ? body["response_format"] : "mp3";
  const seconds = behaviour.pieces ?? Math.ceil(input.length / CHARACTERS_PER_SECOND);
  const pieces = Array.from({ length: seconds }, (_, index) => soundOf(format, index));
  if (body["stream_format"] !== "sse") {
    return { kind: "bytes", contentType: CONTENT_TYPES[format] ?? "application/octet-stream", pieces };
  }
  if (model.startsWith("tts-1")) throw new RequestRefused(400, openAiErrorBody("Streaming is not supported."));
  const counted = { input_tokens: countWords(input), output_tokens: seconds * TOKENS_PER_SECOND };
  const total = counted.input_tokens + counted.output_tokens;
  const usage = reportUsage({ ...counted, total_tokens: total }, behaviour);
  return { kind: "stream", events: spokenEvents(pieces, usage), toJson: () => ({ kind: "json", body: {}, tokens: 0 }) };
}

function soundOf(format: string, index: number): Buffer {
  const sound = Buffer.alloc(BYTES_PER_SECOND[format] ?? 1_000);
  if (format === "mp3" && index === 0) MP3_HEADER.copy(sound);
  return sound;
}

function* spokenEvents(pieces: readonly Buffer[], usage: JsonObject | undefined): Generator<StreamEvent> {
  for (const piece of pieces) {
    const event = { type: "speech.audio.delta", audio: piece.toString("base64") };
    yield { data: JSON.stringify(event), part: "piece", tokens: 0 };
  }
  yield { data: JSON.stringify({ type: "speech.audio.done", ...(usage && { usage }) }), part: "finish", tokens: 0 };
}

/** The tests' recordings: WAV, 8 kHz, 8 bits, one channel. */
const RECORDED_BYTES_PER_SECOND = 8_000;
const WAV_HEADER_BYTES = 44;
const HEARD_TOKENS_PER_SECOND = 10;

/** The text states the duration of the recording. */
export function recordings(call: Call): Reply {
  const model = readModel(call);
  const { body, behaviour } = call;
  const { file } = body;
  if (!isJsonObject(file) || typeof file["bytes"] !== "number") {
    throw new RequestRefused(400, openAiErrorBody("Missing required parameter: 'file'.", { param: "file" }));
  }
  const seconds = (file["bytes"] - WAV_HEADER_BYTES) / RECORDED_BYTES_PER_SECOND;
  const text = behaviour.text ?? `${seconds} seconds of silence`;
  const usage = reportUsage(usageOf(model, seconds, text), behaviour);
  const told = { text, ...(usage && { usage }) };
  const whole: Reply = { kind: "json", body: told, tokens: 0 };
  switch (body["response_format"]) {
    case "text":
      return { kind: "bytes", contentType: "text/plain; charset=utf-8", pieces: [Buffer.from(`${text}\n`)] };
    case "srt":
    case "vtt":
      return {
        kind: "bytes",
        contentType: "text/plain; charset=utf-8",
        pieces: [Buffer.from(subtitles(seconds, text))],
      };
    case "verbose_json":
      return { kind: "json", body: { task: "transcribe", language: "english", duration: seconds, ...told }, tokens: 0 };
    default:
      // Whisper has no streams.
      if (body["stream"] !== "true" || model.startsWith("whisper")) return whole;
      return { kind: "stream", events: writtenEvents(text, usage), toJson: () => whole };
  }
}

function usageOf(model: string, seconds: number, text: string): JsonObject {
  if (model.startsWith("whisper")) return { type: "duration", seconds: Math.ceil(seconds) };
  const heard = Math.ceil(seconds * HEARD_TOKENS_PER_SECOND);
  const written = countWords(text);
  return {
    type: "tokens",
    input_tokens: heard + 1,
    input_token_details: { audio_tokens: heard, text_tokens: 1 },
    output_tokens: written,
    total_tokens: heard + 1 + written,
  };
}

function subtitles(seconds: number, text: string): string {
  const end = new Date(Math.round(seconds * 1_000)).toISOString().slice(11, 23).replace(".", ",");
  return `1\n00:00:00,000 --> ${end}\n${text}\n\n`;
}

function* writtenEvents(text: string, usage: JsonObject | undefined): Generator<StreamEvent> {
  for (const word of text.split(/(?<= )/)) {
    yield { data: JSON.stringify({ type: "transcript.text.delta", delta: word }), part: "piece", tokens: 1 };
  }
  const done = { type: "transcript.text.done", text, ...(usage && { usage }) };
  yield { data: JSON.stringify(done), part: "finish", tokens: 0 };
}
