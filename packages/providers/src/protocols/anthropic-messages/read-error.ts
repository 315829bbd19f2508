import type { Failure, FailureKind } from "../../failure.ts";
import { isRecord, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { redactSecrets } from "../../shared/redact-secrets.ts";
import { type AnswerHeaders, readLimitReset, readRetryAfter } from "../../shared/retry-after.ts";
import { inStream, readError as readAnyError } from "../read-error.ts";
import { refineFailure } from "../refine-failure.ts";

/** Source: https://docs.anthropic.com/en/api/errors */
const kindsByType: ReadonlyMap<string, FailureKind> = new Map<string, FailureKind>([
  ["invalid_request_error", "bad-request"],
  ["authentication_error", "bad-credential"],
  ["permission_error", "bad-credential"],
  ["billing_error", "out-of-credit"],
  ["not_found_error", "unknown-model"],
  ["request_too_large", "bad-request"],
  ["rate_limit_error", "rate-limited"],
  ["timeout_error", "timeout"],
  ["api_error", "server-error"],
  ["overloaded_error", "overloaded"],
]);

/** Codes that are more precise than the type. Source: the error classes of @anthropic-ai/sdk. */
const kindsByCode: ReadonlyMap<string, FailureKind> = new Map<string, FailureKind>([
  ["contract_spend_limit_reached", "out-of-credit"],
  ["enforced_spend_limit_reached", "out-of-credit"],
  ["linked_organization_spend_limit_reached", "out-of-credit"],
  ["linked_organization_billing_unavailable", "out-of-credit"],
  ["organization_on_hold", "bad-credential"],
  ["thread_not_found", "kept-elsewhere"],
]);

/**
 * Reads an error of Anthropic's format, `{type: "error", error: {type, message, details: {error_code}}}`, else as any
 * provider's. Never throws. The message holds no secrets and no addresses.
 */
export function readError(status: number, headers: AnswerHeaders, body: string, now: Date = new Date()): Failure {
  const error = recordOf(recordOf(parseJson(body)).error);
  const type = textOf(error.type);
  const code = textOf(recordOf(error.details).error_code);
  const kind = kindsByCode.get(code) ?? kindsByType.get(type);
  if (kind === undefined) return readAnyError(status, headers, body, now);
  return refineFailure({
    kind,
    status,
    message: redactSecrets(textOf(error.message)) || `The provider answered with status ${status} and no message.`,
    code: redactSecrets(code),
    type: redactSecrets(type),
    param: null,
    retryAfterMs: readRetryAfter(headers, now) ?? (kind === "rate-limited" ? readLimitReset(headers, now) : null),
  });
}

export function readStreamError(data: string): Failure {
  return inStream(readError(200, {}, data));
}

export function carriesError(answer: unknown): boolean {
  const { type, error } = recordOf(answer);
  return type === "error" || (isRecord(error) && Object.keys(error).length > 0);
}
