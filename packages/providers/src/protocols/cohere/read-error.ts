import type { Failure } from "../../failure.ts";
import { type JsonRecord, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { redactSecrets } from "../../shared/redact-secrets.ts";
import type { AnswerHeaders } from "../../shared/retry-after.ts";
import { carriesError as carriesAnyError, readError as readAnyError } from "../read-error.ts";
import { refineFailure } from "../refine-failure.ts";

/** Finish reasons that are failures of the provider. Source: https://docs.cohere.com/reference/chat */
const FAILED_ENDS: ReadonlyMap<unknown, "server-error" | "timeout"> = new Map([
  ["ERROR", "server-error"],
  ["TIMEOUT", "timeout"],
]);
/**
 * The monthly limit of a trial key, which lasts days rather than a minute. Source:
 * https://docs.cohere.com/docs/rate-limits
 */
const USED_UP_MONTH = /API calls \/ month/i;
/** Cohere aborted a request that the gateway has not cancelled. Source: https://docs.cohere.com/reference/errors */
const CANCELLED = 499;

/** True for an error, whose `message` is a string, and for an answer that ended in a failure. */
export function carriesError(answer: unknown): boolean {
  const { message, finish_reason: reason } = recordOf(answer);
  return carriesAnyError(answer) || typeof message === "string" || FAILED_ENDS.has(reason);
}

export function readError(status: number, headers: AnswerHeaders, body: string, now?: Date): Failure {
  const answer = recordOf(parseJson(body));
  const ended = failureOfEnd(answer);
  if (ended !== undefined) return ended.kind === "bad-request" ? ended : { ...ended, status };
  const failure = readAnyError(status, headers, body, now);
  if (status === 429 && USED_UP_MONTH.test(failure.message)) return { ...failure, kind: "out-of-credit" };
  return status === CANCELLED ? { ...failure, kind: "timeout" } : failure;
}

export function failureOfEnd({ finish_reason: reason, error }: JsonRecord): Failure | undefined {
  const kind = FAILED_ENDS.get(reason) ?? (textOf(error) === "" ? undefined : "server-error");
  if (kind === undefined) return undefined;
  const message = redactSecrets(textOf(error)) || `The provider ended the answer with ${textOf(reason)}.`;
  const said = { message, code: textOf(reason), type: "", param: null, retryAfterMs: null };
  return refineFailure({ kind, status: 200, ...said });
}
