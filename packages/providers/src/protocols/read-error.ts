import type { Failure } from "../failure.ts";
import { isRecord, type JsonRecord, listOf, parseJson, recordOf, textOf } from "../shared/json-fields.ts";
import { redactSecrets } from "../shared/redact-secrets.ts";
import {
  type AnswerHeaders,
  durationToMs,
  readLimitReset,
  readRetryAfter,
  readWaitField,
  readWaitInText,
} from "../shared/retry-after.ts";
import { type ErrorFields, failureKind, statusInside } from "./error-kinds.ts";
import { refineFailure } from "./refine-failure.ts";

/**
 * Reads an error of OpenAI's format, with any status. Never throws. The message holds no secrets and no addresses.
 * `now` converts a Retry-After date.
 */
export function readError(status: number, headers: AnswerHeaders, body: string, now: Date = new Date()): Failure {
  const json = parseJson(body);
  const isJson = typeof json === "object" && json !== null;
  const error = findErrorFields(json);
  const kind = failureKind(status, body.trim() === "" ? "empty" : isJson ? error : "no-json");
  const inner = statusInside(status, error);
  return refineFailure({
    kind,
    // A refused request always reports a status of requests.
    status: kind === "bad-request" || inner === TOO_LARGE ? inner : status,
    message: redactSecrets(error.message) || describeAnswer(status, body, isJson),
    code: redactSecrets(error.reason || error.code),
    type: redactSecrets(error.type),
    param: error.param === null ? null : redactSecrets(error.param),
    retryAfterMs: readRetryAfter(headers, now) ?? (kind === "rate-limited" ? readHint(headers, error, now) : null),
  });
}

const TOO_LARGE = 413;

export function readStreamError(data: string): Failure {
  return inStream(readError(200, {}, data));
}

/** Converts a failure within a stream. Failures without a specific code become `broken-stream`. */
export function inStream(failure: Failure): Failure {
  const isUnexplained = failure.kind === "server-error" || failure.kind === "bad-answer";
  return isUnexplained ? { ...failure, kind: "broken-stream", status: 200 } : failure;
}

const OTHER_FORMAT =
  "The provider's answer is none of the format that the channel's type speaks. Look at the channel's type and base_url.";

function describeAnswer(status: number, body: string, isJson: boolean): string {
  if (status === TOO_LARGE) return "The request is larger than the provider takes (status 413). Shorten it.";
  if (status <= 299 && isJson) return OTHER_FORMAT;
  return `The provider answered with status ${status} and ${describeBody(body, isJson)}.`;
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

/** Retry hints outside Retry-After. Only rate limits use them: elsewhere the texts are unreliable. */
function readHint(headers: AnswerHeaders, error: ErrorFields, now: Date): number | null {
  const metadata = error.metadata;
  return (
    durationToMs(textOf(metadata.retryDelay)) ??
    readWaitField(metadata) ??
    readWaitInText(error.message, now) ??
    readLimitReset(headers, now) ??
    readLimitReset(lowerCaseNames(recordOf(metadata.headers)), now)
  );
}

function lowerCaseNames(headers: Readonly<Record<string, unknown>>): AnswerHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
}

/**
 * Finds the error in JSON: `error` as object or text, `base_resp` (MiniMax), or an object with message, msg, err,
 * error_msg, detail, header.message or response.error.message. All fields are empty without any.
 */
function findErrorFields(body: unknown): ErrorFields {
  const value = Array.isArray(body) ? recordOf(body[0]) : recordOf(body);
  return (
    fromErrorObject(value.error, value) ??
    fromErrorObject(recordOf(value.response).error, value) ??
    fromBaseResponse(value) ??
    fromErrorList(value) ??
    fromFlatObject(value)
  );
}

export function carriesError(body: unknown): boolean {
  const value = Array.isArray(body) ? recordOf(body[0]) : recordOf(body);
  const hasError = (isRecord(value.error) && Object.keys(value.error).length > 0) || textOf(value.error) !== "";
  return (
    hasError || value.object === "error" || fromBaseResponse(value) !== undefined || fromErrorList(value) !== undefined
  );
}

function fromErrorObject(error: unknown, outer: JsonRecord): ErrorFields | undefined {
  if (typeof error === "string" && error !== "") {
    return { ...emptyFields, message: error, code: codeOf(outer.code), type: typeOf(outer), metadata: outer };
  }
  if (!isRecord(error) || Object.keys(error).length === 0) {
    return undefined;
  }
  return {
    ...emptyFields,
    message: messageOf(error) || textOf(outer.message),
    code: codeOf(error.code) || codeOf(outer.code),
    type: textOf(error.type) || textOf(error.status) || textOf(outer.type),
    reason: reasonOf(error.details),
    param: typeof error.param === "string" ? error.param : null,
    metadata: { ...outer, ...error, ...recordOf(error.metadata), ...retryInfoOf(error.details) },
  };
}

/** `status_code` 0 is success. Source: https://platform.minimax.io/docs/api-reference/errorcode */
function fromBaseResponse(value: JsonRecord): ErrorFields | undefined {
  const base = recordOf(value.base_resp);
  const code = codeOf(base.status_code);
  return code === "" || code === "0"
    ? undefined
    : { ...emptyFields, message: textOf(base.status_msg), code, isBaseResponse: true };
}

/** Cloudflare's envelope: https://developers.cloudflare.com/fundamentals/api/reference/responses/ */
function fromErrorList(value: JsonRecord): ErrorFields | undefined {
  const [first] = listOf(value.errors).map(recordOf);
  if (first === undefined || value.success === true) return undefined;
  const message = messageOf(first);
  return message === "" ? undefined : { ...emptyFields, message, code: codeOf(first.code), metadata: value };
}

function fromFlatObject(value: JsonRecord): ErrorFields {
  const code =
    codeOf(value.reason) || codeOf(value.code) || codeOf(value.error_code) || codeOf(recordOf(value.header).code);
  const message = messageOf(value) || textOf(recordOf(value.header).message);
  return { ...emptyFields, message, code, type: textOf(value.type), metadata: value };
}

function messageOf(value: JsonRecord): string {
  for (const name of ["message", "msg", "err", "error_msg", "detail"]) {
    const found = value[name];
    if (typeof found === "string" && found !== "") {
      // Gateways may embed the provider's error as JSON text in their message.
      const inner = found.startsWith("{") ? findErrorFields(parseJson(found)).message : "";
      return inner === "" ? found : inner;
    }
    if (found !== undefined && typeof found === "object" && found !== null) {
      return validationMessage(found);
    }
  }
  return "";
}

/** Frameworks report invalid fields as a list, `[{loc: ["body", "n"], msg: "…"}]`, bare or under `detail`. */
function validationMessage(value: object): string {
  const issues = Array.isArray(value) ? value : listOf(recordOf(value).detail);
  return issues
    .map((issue) =>
      [listOf(recordOf(issue).loc).join("."), textOf(recordOf(issue).msg)].filter((part) => part !== "").join(": "),
    )
    .join("; ");
}

/** Reason of Google's `ErrorInfo`; empty without. Source: https://google.aip.dev/193 */
export function reasonOf(details: unknown): string {
  return (
    listOf(details)
      .map((detail) => textOf(recordOf(detail).reason))
      .find((text) => text !== "") ?? ""
  );
}

/** Google's `RetryInfo`. */
function retryInfoOf(details: unknown): JsonRecord {
  const delay = listOf(details)
    .map((detail) => textOf(recordOf(detail).retryDelay))
    .find((text) => text !== "");
  return delay === undefined ? {} : { retryDelay: delay };
}

/** text-generation-inference uses `error_type`. */
function typeOf({ type, error_type: named }: JsonRecord): string {
  return textOf(type) || textOf(named);
}

function codeOf(value: unknown): string {
  return typeof value === "number" ? String(value) : textOf(value);
}

const emptyFields: ErrorFields = {
  message: "",
  code: "",
  type: "",
  param: null,
  reason: "",
  metadata: {},
  isBaseResponse: false,
};
