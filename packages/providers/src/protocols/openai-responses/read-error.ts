import type { Failure } from "../../failure.ts";
import { parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import type { AnswerHeaders } from "../../shared/retry-after.ts";
import { readError as readAnyError, readStreamError as readAnyStreamError } from "../read-error.ts";

/** What a conversation is refused with that another account keeps. */
const KEPT_ELSEWHERE: ReadonlySet<string> = new Set(["previous_response_not_found", "conversation_not_found"]);

/** Reads a refusal as all of OpenAI's APIs have it. Never throws. */
export function readError(status: number, headers: AnswerHeaders, body: string, now: Date = new Date()): Failure {
  const failure = readAnyError(status, headers, body, now);
  return KEPT_ELSEWHERE.has(failure.code) ? { ...failure, kind: "kept-elsewhere" } : failure;
}

/** Reads an error inside a stream that had begun well: an event of its own, or a response that has failed. */
export function readStreamError(data: string): Failure {
  const event = recordOf(parseJson(data));
  const error = recordOf(event.response).error ?? event.error ?? event;
  const { code } = recordOf(error);
  // Here a code alone says what happened, for there is no status.
  const type = textOf(recordOf(error).type) === "error" ? "" : textOf(recordOf(error).type);
  return readAnyStreamError(JSON.stringify({ error: { ...recordOf(error), type, code } }));
}
