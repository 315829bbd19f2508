import { type Failure, failureOf } from "@one-api/providers/failure";
import type { ProviderFormat } from "@one-api/providers/format";
import type { ProviderChat } from "@one-api/providers/format-sides";
import { EventTooLongError } from "@one-api/providers/framing/event-splitter";
import { SERVER_SENT_EVENTS } from "@one-api/providers/framing/framing";
import type { ChatAnswer, ChatEvent } from "@one-api/providers/neutral/chat-answer";
import { gatherAnswer } from "@one-api/providers/neutral/gather-answer";
import { holdsResult } from "@one-api/providers/shared/holds-result";
import { withExactFields } from "@one-api/providers/shared/exact-numbers";
import { isRecord, parseJson } from "@one-api/providers/shared/json-fields";
import type { AnswerHeaders } from "@one-api/providers/shared/retry-after";
import type { Usage } from "@one-api/providers/usage";
import { findFields } from "../body/index.ts";
import type { ReadAnswer } from "./translation.ts";

export const MAX_ERROR_BYTES = 64 * 1024;

const UNSCANNED_BYTES = 64 * 1024;

/** Undefined for anything but a JSON object, and for nesting so deep that parsing would block. */
export function parseAnswer(bytes: Buffer, exactFields?: ReadonlySet<string>): unknown {
  if (bytes.length > UNSCANNED_BYTES && findFields(bytes) === undefined) return undefined;
  return withExactFields(parseJson(bytes.toString()), bytes, exactFields);
}

/** `write` encodes the answer, with counted usage if the report is incomplete; undefined for an invalid answer. Never throws. */
export function readAnswer(
  provider: ProviderFormat,
  status: number,
  headers: AnswerHeaders,
  bytes: Buffer,
  write: (answer: Readonly<Record<string, unknown>>, counted?: Usage) => object | undefined,
): ReadAnswer {
  const answer = parseAnswer(bytes, provider.exactFields);
  const isSound =
    isRecord(answer) &&
    Object.keys(answer).length > 0 &&
    !provider.carriesError(answer) &&
    holdsResult(provider, answer);
  const written = isSound ? write(answer) : undefined;
  if (!isSound || written === undefined) {
    const failure = provider.readError(status, headers, bytes.toString("utf8", 0, MAX_ERROR_BYTES));
    return { ok: false, failure };
  }
  const usage = provider.readUsage(answer);
  const read = { ok: true, bytes: toBytes(written), usage } as const;
  if (!isSound) return read;
  return { ...read, writeUsage: (counted) => toBytes(write(answer, counted) ?? written) };
}

function toBytes(answer: object): Buffer {
  return Buffer.from(JSON.stringify(answer));
}

export function readGathered(
  { framing = SERVER_SENT_EVENTS }: ProviderFormat,
  served: ProviderChat,
  bytes: Buffer,
  write: (answer: ChatAnswer) => object,
): ReadAnswer {
  const splitter = framing.splitter();
  const decoder = served.decode();
  const read = (event: Buffer): readonly ChatEvent[] => {
    const { name, data } = framing.readEvent(event);
    return data === "" ? [] : decoder.read(name, data);
  };
  try {
    const events = [...splitter.push(bytes), splitter.flush()].flatMap(read);
    const gathered = gatherAnswer(events);
    if (!gathered.ok) return { ok: false, failure: gathered.failure ?? unendedStream() };
    const { answer } = gathered;
    const { usage } = answer;
    const writeUsage = (counted: Usage) => toBytes(write({ ...answer, usage: counted }));
    return { ok: true, bytes: toBytes(write(answer)), usage, writeUsage };
  } catch (error) {
    if (!(error instanceof EventTooLongError)) throw error;
    return { ok: false, failure: tooLongEvent() };
  }
}

export function unendedStream(): Failure {
  return failureOf("broken-stream", 200, "The provider ended the stream before the answer was whole.");
}

export function tooLongEvent(): Failure {
  return failureOf("too-large", 200, "The provider sent an event that is too long.");
}
