import type { Failure, FailureKind } from "../../failure.ts";
import { type JsonRecord, parseJson, recordOf } from "../../shared/json-fields.ts";
import type { AnswerHeaders } from "../../shared/retry-after.ts";
import { inStream, readError as readAnyError } from "../../protocols/read-error.ts";
import { refineFailure } from "../../protocols/refine-failure.ts";

/** Meanings of Coze's codes, also with status 200. Source: https://www.coze.com/docs/developer_guides/coze_error_codes */
const KINDS: ReadonlyMap<unknown, FailureKind> = new Map([
  [4000, "bad-request"],
  [4013, "rate-limited"],
  // The agent is not published for the API.
  [4015, "unknown-model"],
  [4028, "out-of-credit"],
  [4100, "bad-credential"],
  [4101, "bad-credential"],
  [4200, "unknown-model"],
  [5000, "server-error"],
  [700012006, "bad-credential"],
]);

/** True for every code other than 0. */
export function carriesError(answer: unknown): boolean {
  const { code } = recordOf(answer);
  return code !== undefined && code !== 0;
}

export function readError(status: number, headers: AnswerHeaders, body: string, now?: Date): Failure {
  const failure = readAnyError(status, headers, body, now);
  const kind = KINDS.get(recordOf(parseJson(body)).code);
  if (kind === undefined) return failure;
  return refineFailure({ ...failure, kind, status });
}

export function failureOfCode(error: JsonRecord): Failure {
  return inStream(readError(200, {}, JSON.stringify(error)));
}
