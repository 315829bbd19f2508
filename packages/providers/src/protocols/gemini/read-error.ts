import type { Failure, FailureKind } from "../../failure.ts";
import { isRecord, type JsonRecord, listOf, numberOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { redactSecrets } from "../../shared/redact-secrets.ts";
import { type AnswerHeaders, durationToMs, readRetryAfter } from "../../shared/retry-after.ts";
import { kindOfName } from "../error-kinds.ts";
import { inStream, readError as readAnyError, reasonOf } from "../read-error.ts";
import { refineFailure } from "../refine-failure.ts";

/** Source: https://cloud.google.com/apis/design/errors#handling_errors */
const kindsByStatus: ReadonlyMap<string, FailureKind> = new Map<string, FailureKind>([
  ["INVALID_ARGUMENT", "bad-request"],
  ["FAILED_PRECONDITION", "bad-request"],
  ["OUT_OF_RANGE", "bad-request"],
  ["UNAUTHENTICATED", "bad-credential"],
  ["PERMISSION_DENIED", "bad-credential"],
  ["NOT_FOUND", "unknown-model"],
  ["RESOURCE_EXHAUSTED", "rate-limited"],
  ["CANCELLED", "server-error"],
  ["UNKNOWN", "server-error"],
  ["INTERNAL", "server-error"],
  ["DATA_LOSS", "server-error"],
  ["UNIMPLEMENTED", "bad-request"],
  ["UNAVAILABLE", "overloaded"],
  ["DEADLINE_EXCEEDED", "timeout"],
]);

/**
 * Errors for references to files or caches of another account. Only these fixed sentences distinguish them from a
 * refused key, which would suspend the channel.
 */
const STORED_ELSEWHERE =
  /^(?:You do not have permission to access the File|Permission denied while accessing input file|CachedContent not found|File [\w/-]+ (?:not found|does not exist))/;

/**
 * Reads an error of Google's format, `{error: {code, message, status, details: [{"@type", …}]}}`, also within a list.
 * Other shapes are read as those of any provider. Never throws. The message holds no secrets and no addresses.
 */
export function readError(status: number, headers: AnswerHeaders, body: string, now: Date = new Date()): Failure {
  const json = parseJson(body);
  const error = recordOf(recordOf(Array.isArray(json) ? json[0] : json).error);
  const type = textOf(error.status);
  const details = listOf(error.details).map(recordOf);
  const reason = reasonOf(error.details);
  const kind = kindOfName(reason) ?? kindsByStatus.get(type);
  if (kind === undefined) return readAnyError(status, headers, body, now);
  const message = textOf(error.message);
  return refineFailure({
    kind: STORED_ELSEWHERE.test(message) ? "kept-elsewhere" : kind,
    status: status >= 400 ? status : (numberOf(error.code) ?? status),
    message: redactSecrets(message) || `The provider answered with status ${status} and no message.`,
    code: redactSecrets(reason),
    type: redactSecrets(type),
    param: fieldAtFault(details),
    retryAfterMs: readRetryAfter(headers, now) ?? readRetryDelay(details),
  });
}

function readRetryDelay(details: readonly JsonRecord[]): number | null {
  const delay = details.map(({ retryDelay }) => textOf(retryDelay)).find((text) => text !== "");
  return durationToMs(delay ?? "");
}

function fieldAtFault(details: readonly JsonRecord[]): string | null {
  const [first] = details.flatMap(({ fieldViolations }) => listOf(fieldViolations)).map(recordOf);
  return textOf(first?.field) === "" ? null : redactSecrets(textOf(first?.field));
}

export function readStreamError(data: string): Failure {
  return inStream(readError(200, {}, data));
}

export function carriesError(answer: unknown): boolean {
  const { error } = recordOf(Array.isArray(answer) ? answer[0] : answer);
  return isRecord(error) && Object.keys(error).length > 0;
}
