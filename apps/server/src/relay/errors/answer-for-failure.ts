import { findOverflow } from "@one-api/providers/context-overflow";
import type { Failure, FailureKind } from "@one-api/providers/failure";
import { RelayError, type RelayErrorFields, UPSTREAM_OVERLOADED } from "./relay-error.ts";

/** Upper bound of a Retry-After header, in seconds. */
const LONGEST_RETRY_AFTER_SECONDS = 60;

const TOO_LARGE = "request_too_large";
const FAILED: RelayErrorFields = {
  status: 502,
  code: "upstream_failed",
  message: "The provider failed to answer. Try again.",
};
const REFUSED: RelayErrorFields = {
  status: 502,
  code: "upstream_refused",
  message: "The provider refused the gateway's account. An administrator has to look at the channel.",
};

const ANSWERS: Readonly<Record<Exclude<FailureKind, "bad-request" | "kept-elsewhere">, RelayErrorFields>> = {
  "unknown-model": {
    status: 404,
    type: "invalid_request_error",
    code: "model_not_found",
    param: "model",
    message: "The provider does not serve this model.",
  },
  "rate-limited": {
    status: 429,
    type: "requests",
    code: "rate_limit_exceeded",
    message: "The providers of this model are at their limit. Try again later.",
  },
  "over-limit": {
    status: 413,
    type: "tokens",
    code: TOO_LARGE,
    message: "The request is larger than the providers' limits take. Shorten it or lower max_tokens.",
  },
  overloaded: { status: 503, code: UPSTREAM_OVERLOADED, message: "The provider is overloaded. Try again." },
  timeout: { status: 504, code: "upstream_timeout", message: "The provider did not answer in time. Try again." },
  "too-large": {
    status: 502,
    code: "upstream_too_large",
    message: "The provider's answer is larger than the gateway takes.",
  },
  "bad-credential": REFUSED,
  "out-of-credit": REFUSED,
  "server-error": FAILED,
  connection: FAILED,
  tls: FAILED,
  "bad-answer": FAILED,
  "broken-stream": FAILED,
};

/**
 * Returns the answer to the caller for the last failure. A fault of the request has the provider's message. A fault of
 * the channel is never a 401, and its details are for administrators.
 */
export function answerForFailure(failure: Failure): RelayError {
  const { kind, status, message, param } = failure;
  if (kind === "bad-request" || kind === "kept-elsewhere") {
    const overflow = findOverflow(failure);
    const code = overflow === undefined ? codeForCaller(failure) : CONTEXT_LENGTH_EXCEEDED;
    return new RelayError({ status, message, param, type: REQUEST_ERROR, code, overflow });
  }
  const isTemporary = kind === "rate-limited" || kind === "overloaded";
  return new RelayError(
    isTemporary ? { ...ANSWERS[kind], retryAfterSeconds: retryAfterSeconds(failure) } : ANSWERS[kind],
  );
}

/** OpenAI's type of every fault of a request: its clients do not know the types of other providers. */
const REQUEST_ERROR = "invalid_request_error";
/** Code by which OpenAI's clients shorten the conversation. Source: https://platform.openai.com/docs/guides/error-codes */
const CONTEXT_LENGTH_EXCEEDED = "context_length_exceeded";

/** The provider's code; null without one or where it repeats a status. A body that is too large has a code of its own, not that of a limit. */
function codeForCaller({ code, status }: Failure): string | null {
  if (status === 413) return TOO_LARGE;
  return code === "" || /^[45]\d\d$/.test(code) ? null : code;
}

function retryAfterSeconds(failure: Failure): number {
  const seconds = Math.ceil((failure.retryAfterMs ?? 1_000) / 1000);
  return Math.min(LONGEST_RETRY_AFTER_SECONDS, Math.max(1, seconds));
}
