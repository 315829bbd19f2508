import type { Failure } from "../../failure.ts";
import { parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { redactSecrets } from "../../shared/redact-secrets.ts";
import { durationToMs, readLimitReset, readRetryAfter, type AnswerHeaders } from "../../shared/retry-after.ts";
import { findErrorFields, type ErrorFields } from "./error-fields.ts";
import { failureKind } from "./error-kinds.ts";

/**
 * Reads a refusal of a provider of OpenAI's format: any status but a good one, or a good one whose body carries an error. Never
 * throws. The message holds no secrets and no addresses. `now` is for a Retry-After that is a date.
 */
export function readError(status: number, headers: AnswerHeaders, body: string, now: Date = new Date()): Failure {
  const json = parseJson(body);
  const isJson = typeof json === "object" && json !== null;
  const error = findErrorFields(json);
  const kind = failureKind(status, body.trim() === "" ? "empty" : isJson ? error : "no-json");
  return {
    kind,
    status,
    message:
      redactSecrets(error.message) || `The provider answered with status ${status} and ${describeBody(body, isJson)}.`,
    code: redactSecrets(error.code),
    type: redactSecrets(error.type),
    param: error.param === null ? null : redactSecrets(error.param),
    retryAfterMs: readRetryAfter(headers, now) ?? (kind === "rate-limited" ? readHint(headers, error, now) : null),
  };
}

function describeBody(body: string, isJson: boolean): string {
  if (body.trim() === "") {
    return "an empty body";
  }
  if (isJson) {
    return "no message";
  }
  return /^\s*</.test(body) ? "a web page instead of JSON" : "a text instead of JSON";
}

/** Waits that providers name elsewhere than in Retry-After. Only a rate limit may use them: the texts are not reliable else. */
function readHint(headers: AnswerHeaders, error: ErrorFields, now: Date): number | null {
  const inText = /(?:try again|retry) (?:in|after) (\d[\d.]*(?:ms|s|m|h)(?:[\d.]+(?:ms|s|m))*)(?![a-z])/i.exec(
    error.message,
  )?.[1];
  const inSeconds = /(?:try again|retry) (?:in|after) (\d+(?:\.\d+)?) seconds?\b/i.exec(error.message)?.[1];
  const metadata = error.metadata;
  return (
    durationToMs(textOf(metadata.retryDelay)) ??
    durationToMs((inText ?? "").replace(/\.$/, "")) ??
    durationToMs(inSeconds === undefined ? "" : `${inSeconds}s`) ??
    readLimitReset(headers, now) ??
    readLimitReset(lowerCaseNames(recordOf(metadata.headers)), now)
  );
}

function lowerCaseNames(headers: Readonly<Record<string, unknown>>): AnswerHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
}
