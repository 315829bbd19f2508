import { type Call, json, type Reply, streamEvent, type StreamEvent, streamOrJson } from "../../../stub-kit/call.ts";
import { type JsonObject, objectField } from "../../../stub-kit/json-fields.ts";
import { countWords } from "../../../stub-kit/prompt.ts";
import { readModel } from "../../../stub-kit/read-model.ts";
import { refuse } from "../../../stub-kit/refusal.ts";
import { usageField } from "../../../stub-kit/report-usage.ts";

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
  const { input } = body;
  if (typeof input !== "string" || input === "" || body["voice"] === undefined)
    refuse("Missing required parameter.", { param: "input" });
  const format = typeof body["response_format"] === "string" ? body["response_format"] : "mp3";
  const seconds = behaviour.pieces ?? Math.ceil(input.length / CHARACTERS_PER_SECOND);
  const pieces = Array.from({ length: seconds }, (_, index) => soundOf(format, index));
  if (body["stream_format"] !== "sse") {
    return { kind: "bytes", contentType: CONTENT_TYPES[format] ?? "application/octet-stream", pieces };
  }
  if (model.startsWith("tts-1")) refuse("Streaming is not supported.");
  const counted = { input_tokens: countWords(input), output_tokens: seconds * TOKENS_PER_SECOND };
  const total = counted.input_tokens + counted.output_tokens;
  const usage = usageField({ ...counted, total_tokens: total }, behaviour);
  return { kind: "stream", events: spokenEvents(pieces, usage), toJson: () => json({}) };
}

function soundOf(format: string, index: number): Buffer {
  const sound = Buffer.alloc(BYTES_PER_SECOND[format] ?? 1_000);
  if (format === "mp3" && index === 0) MP3_HEADER.copy(sound);
  return sound;
}

function* spokenEvents(pieces: readonly Buffer[], usage: JsonObject): Generator<StreamEvent> {
  for (const piece of pieces)
    yield streamEvent("piece", { type: "speech.audio.delta", audio: piece.toString("base64") }, { tokens: 0 });
  yield streamEvent("finish", { type: "speech.audio.done", ...usage });
}

/** The tests' recordings: WAV, 8 kHz, 8 bits, one channel. */
const RECORDED_BYTES_PER_SECOND = 8_000;
const WAV_HEADER_BYTES = 44;
const HEARD_TOKENS_PER_SECOND = 10;

/** The text states the duration of the recording. */
export function recordings(call: Call): Reply {
  const model = readModel(call);
  const { body, behaviour } = call;
  const { bytes } = objectField(body, "file");
  if (typeof bytes !== "number") refuse("Missing required parameter: 'file'.", { param: "file" });
  const seconds = (bytes - WAV_HEADER_BYTES) / RECORDED_BYTES_PER_SECOND;
  const text = behaviour.text ?? `${seconds} seconds of silence`;
  const said = { text, ...usageField(usageOf(model, seconds, text), behaviour) };
  switch (body["response_format"]) {
    case "text":
      return plainText(`${text}\n`);
    case "srt":
    case "vtt":
      return plainText(subtitles(seconds, text));
    case "verbose_json":
      return json({ task: "transcribe", language: "english", duration: seconds, ...said });
    default: {
      // Whisper has no streams.
      const isStream = body["stream"] === "true" && !model.startsWith("whisper");
      return streamOrJson(isStream, () => json(said), { events: writtenEvents(text, said) });
    }
  }
}

function plainText(text: string): Reply {
  return { kind: "bytes", contentType: "text/plain; charset=utf-8", pieces: [Buffer.from(text)] };
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

function* writtenEvents(text: string, done: JsonObject): Generator<StreamEvent> {
  for (const delta of text.split(/(?<= )/)) yield streamEvent("piece", { type: "transcript.text.delta", delta });
  yield streamEvent("finish", { type: "transcript.text.done", ...done });
}
