import { type Failure, failureOf } from "@one-api/providers/failure";
import type { ProviderChat, ProviderFormat } from "@one-api/providers/format";
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

/** An error says what it has to in so many bytes, also where a whole answer should be. */
export const MOST_ERROR_BYTES = 64 * 1024;

/** Up to this many bytes a document is parsed whatever it holds. */
const PARSED_UNSEEN_BYTES = 64 * 1024;

/** Returns what a provider's document holds; undefined for what is no JSON object, or is nested so deeply that reading it would keep everybody waiting. */
export function parseAnswer(bytes: Buffer, exactFields?: ReadonlySet<string>): unknown {
  if (bytes.length > PARSED_UNSEEN_BYTES && findFields(bytes) === undefined) return undefined;
  return withExactFields(parseJson(bytes.toString()), bytes, exactFields);
}

/**
 * Reads a document. `write` returns what the caller gets, with the usage that is counted where the provider reports none or half of one; undefined for what is no
 * answer after all. Never throws.
 */
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
    const failure = provider.readError(status, headers, bytes.toString("utf8", 0, MOST_ERROR_BYTES));
    return { ok: false, failure };
  }
  const usage = provider.readUsage(answer);
  const read = { ok: true, bytes: toBytes(written), usage } as const;
  if (!isSound) return read;
  return { ...read, tellUsage: (counted) => toBytes(write(answer, counted) ?? written) };
}

function toBytes(answer: object): Buffer {
  return Buffer.from(JSON.stringify(answer));
}

/** Reads a stream that came instead of a whole answer, from a provider that has nothing else. */
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
    const tellUsage = (counted: Usage) => toBytes(write({ ...answer, usage: counted }));
    return { ok: true, bytes: toBytes(write(answer)), usage, tellUsage };
  } catch (error) {
    if (!(error instanceof EventTooLongError)) throw error;
    return { ok: false, failure: tooLongEvent() };
  }
}

/** The stream is over, and the answer in it is not. */
export function unendedStream(): Failure {
  return failureOf("broken-stream", 200, "The provider ended the stream before the answer was whole.");
}

/** An event of the stream is longer than is taken. */
export function tooLongEvent(): Failure {
  return failureOf("too-large", 200, "The provider sent an event that is too long.");
}
