import type { Failure } from "../../failure.ts";
import { parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import type { AnswerHeaders } from "../../shared/retry-after.ts";
import { readError as readAnyError, readStreamError as readAnyStreamError } from "../read-error.ts";

/** Codes for conversations that another account stores. */
const STORED_ELSEWHERE: ReadonlySet<string> = new Set(["previous_response_not_found", "conversation_not_found"]);

export function readError(status: number, headers: AnswerHeaders, body: string, now: Date = new Date()): Failure {
  const failure = readAnyError(status, headers, body, now);
  return STORED_ELSEWHERE.has(failure.code) ? { ...failure, kind: "kept-elsewhere" } : failure;
}

/** Reads an error of a started stream: an error event, or a failed response. */
export function readStreamError(data: string): Failure {
  const event = recordOf(parseJson(data));
  const error = recordOf(event.response).error ?? event.error ?? event;
  const { code } = recordOf(error);
  // Streams have no status, so only the code classifies the error.
  const type = textOf(recordOf(error).type) === "error" ? "" : textOf(recordOf(error).type);
  return readAnyStreamError(JSON.stringify({ error: { ...recordOf(error), type, code } }));
}
