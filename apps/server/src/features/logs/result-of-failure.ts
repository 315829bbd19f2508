import type { LogResult } from "@one-api/contract/logs/log";
import type { FailureKind } from "@one-api/contract/logs/log-end";

export const RESULT_OF_FAILURE = {
  "rate-limited": "provider-limited",
  "over-limit": "provider-limited",
  overloaded: "provider-failed",
  "bad-credential": "provider-refused",
  "out-of-credit": "provider-refused",
  "unknown-model": "provider-refused",
  "bad-request": "provider-refused",
  "kept-elsewhere": "provider-refused",
  "server-error": "provider-failed",
  connection: "connection",
  tls: "connection",
  timeout: "timeout",
  "bad-answer": "provider-failed",
  "broken-stream": "provider-failed",
  "too-large": "provider-failed",
} as const satisfies Readonly<Record<FailureKind, LogResult>>;

/** Unknown kinds count as failures of the provider. */
export function resultOfFailure(kind: string): LogResult {
  return new Map<string, LogResult>(Object.entries(RESULT_OF_FAILURE)).get(kind) ?? "provider-failed";
}
