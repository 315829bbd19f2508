import type { Failure } from "../../failure.ts";
import type { Format } from "../../format.ts";
import type { RealtimeEvent, RealtimeRequest, RealtimeSetup, RefusedRequest } from "../../realtime-side.ts";
import { isRecord, type JsonRecord, listOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { fieldOf, numberField, recordField, snakeCase } from "./fields.ts";
import { geminiContent } from "./gemini.ts";
import { readError } from "./read-error.ts";
import { readUsage } from "./usage.ts";

/** Answers have no ids: there is only one at a time. */
const TURN = "turn";
/** Of generated audio. Source: https://ai.google.dev/gemini-api/docs/tokens */
const SPOKEN_TOKENS_PER_SECOND = 25;

/**
 * Google's WebSocket sessions for speech and text. The caller's first message names the model. Any error closes the
 * session.
 * Source: https://ai.google.dev/api/live
 */
export const geminiLive: Format = {
  ...geminiContent,
  name: "gemini-live",
  chat: undefined,
  answerText: () => "",
  realtime: {
    spokenTokensPerSecond: SPOKEN_TOKENS_PER_SECOND,
    answersOneByOne: true,
    setup: { read: readSetup, readClose },
    goAway: (seconds) => ({ goAway: { timeLeft: `${seconds}s` } }),
    readRequest,
    readEvents,
    withModel,
  },
};

function withModel(event: JsonRecord, model: string): JsonRecord {
  return { ...event, setup: { ...recordOf(event.setup), model } };
}

export function setUpAs(message: Buffer, model: string): Buffer {
  return Buffer.from(JSON.stringify(withModel(recordOf(parseJson(message.toString())), model)));
}

const SETUP = "setup";
const SETUP_FIELDS = ["generationConfig", "systemInstruction", "sessionResumption"];
const OPTION_FIELDS = ["maxOutputTokens", "thinkingConfig", "candidateCount", "responseModalities"];

function readSetup(event: JsonRecord): RealtimeSetup | RefusedRequest {
  const setup = event[SETUP];
  if (!isRecord(setup) || Object.keys(event).length > 1) {
    return refused(SETUP, 'The first message sets the session up and nothing else: {"setup": {"model": "models/…"}}.');
  }
  const config = recordField(setup, "generationConfig");
  const twice = namedTwice(setup, SETUP_FIELDS) ?? namedTwice(config, OPTION_FIELDS);
  if (twice !== undefined) return refused(`setup.${twice}`, `${twice} is there under both of its names. Send one.`);
  const tool = listOf(setup.tools).findIndex((each) => !isFunctions(each));
  if (tool !== -1 || !(setup.tools === undefined || Array.isArray(setup.tools))) {
    return refused(
      `setup.tools.${Math.max(0, tool)}`,
      "Sessions here have functionDeclarations as tools and no others.",
    );
  }
  const resumption = recordField(setup, "sessionResumption");
  if (fieldOf(resumption, "handle") !== undefined) {
    return refused("setup.sessionResumption.handle", "Sessions are not taken up again here. Open a new one.");
  }
  // A resumption handle could continue a session of another account.
  const { sessionResumption: _one, session_resumption: _other, ...kept } = setup;
  return {
    kind: "setup",
    model: textOf(setup.model).replace(/^.*\/?models\//, ""),
    mostTokens: limitOf(config),
    message: { [SETUP]: kept },
  };
}

/** Google does not guarantee that thoughts count towards the limit. */
function limitOf(config: JsonRecord): number | undefined {
  const limit = numberField(config, "maxOutputTokens");
  if (limit === undefined || limit <= 0) return undefined;
  return limit + Math.max(0, numberField(recordField(config, "thinkingConfig"), "thinkingBudget") ?? 0);
}

function isFunctions(tool: unknown): boolean {
  return isRecord(tool) && Object.keys(tool).every((name) => snakeCase(name) === "function_declarations");
}

function namedTwice(record: JsonRecord, names: readonly string[]): string | undefined {
  return names.find((name) => record[name] !== undefined && record[snakeCase(name)] !== undefined);
}

function refused(field: string, message: string): RefusedRequest {
  return { kind: "refused", field, message };
}

/** Each field is one kind of message. */
const KINDS = ["clientContent", "realtimeInput", "toolResponse"] as const;
/** Fields of audio and video streams that are counted by media, not by JSON length. */
const STREAMED = new Set([
  "audio",
  "video",
  "media_chunks",
  "audio_stream_end",
  "activity_start",
  "activity_end",
  "data",
  "mime_type",
]);

function readRequest(event: JsonRecord): RealtimeRequest {
  const names = Object.keys(event);
  const [name = ""] = names;
  if (name === SETUP) return refused(SETUP, "The session is set up already. Open another one for other settings.");
  const kind = KINDS.find((known) => name === known || name === snakeCase(known));
  if (kind === undefined || names.length > 1 || !isRecord(event[name])) {
    return refused(name, `Send one of ${KINDS.join(", ")} in each message.`);
  }
  const content = recordOf(event[name]);
  switch (kind) {
    case "clientContent":
      if (namedTwice(content, ["turnComplete"]))
        return refused("turnComplete", "turnComplete is there twice. Send one.");
      return fieldOf(content, "turnComplete") === true ? { kind: "start", mostTokens: undefined } : { kind: "content" };
    case "toolResponse":
      return { kind: "reply" };
    case "realtimeInput":
      return isStreamed(content) ? { kind: "audio" } : { kind: "content" };
  }
}

function isStreamed(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isStreamed);
  if (!isRecord(value)) return true;
  return Object.entries(value).every(([name, field]) => STREAMED.has(snakeCase(name)) && isStreamed(field));
}

/** Events that affect the charge. One message may have several. */
function readEvents(event: JsonRecord): readonly RealtimeEvent[] {
  const content = recordOf(event.serverContent);
  const events: RealtimeEvent[] = listOf(recordOf(content.modelTurn).parts).map(readPart);
  const spoken = textOf(recordOf(content.outputTranscription).text);
  if (spoken !== "") events.push({ kind: "text", answerId: TURN, text: spoken });
  if (isRecord(event.toolCall)) {
    events.push({ kind: "call", answerId: TURN, text: JSON.stringify(event.toolCall.functionCalls ?? "") });
  }
  const usage = readUsage(event);
  if (content.interrupted === true) events.push({ kind: "interrupted", answerId: TURN });
  if (content.turnComplete === true) {
    events.push({ kind: "answer-end", answerId: TURN, end: "complete", inConversation: true, usage });
  } else if (usage !== undefined) events.push({ kind: "usage", answerId: TURN, usage });
  return events;
}

function readPart(part: unknown): RealtimeEvent {
  const { text, inlineData } = recordOf(part);
  if (typeof text === "string") return { kind: "text", answerId: TURN, text };
  const { mimeType, data } = recordOf(inlineData);
  if (typeof data !== "string") return { kind: "text", answerId: TURN, text: JSON.stringify(part) };
  const rate = Number(/rate=(\d{4,6})/.exec(textOf(mimeType))?.[1] ?? USUAL_RATE);
  return { kind: "audio", answerId: TURN, seconds: (data.length * 3) / 4 / (rate * BYTES_PER_SAMPLE) };
}

/** Of generated audio. Source: https://ai.google.dev/gemini-api/docs/live-guide */
const USUAL_RATE = 24_000;
const BYTES_PER_SAMPLE = 2;

const STATUS_OF_CLOSE: ReadonlyMap<number, readonly [number, string]> = new Map([
  [1007, [400, "INVALID_ARGUMENT"]],
  [1008, [403, "PERMISSION_DENIED"]],
  [1011, [503, "UNAVAILABLE"]],
]);

function readClose(code: number, reason: string): Failure {
  const [status, name] = STATUS_OF_CLOSE.get(code) ?? [502, "INTERNAL"];
  return readError(status, {}, JSON.stringify({ error: { code: status, message: reason, status: name } }));
}
