import { findOverflow } from "@one-api/providers/context-overflow";
import {
  type Failure,
  type FailureKind,
  ProviderFailedError,
  UncallableChannelError,
} from "@one-api/providers/failure";
import type { Logger } from "pino";
import { RelayError, UPSTREAM_OVERLOADED } from "../relay-error.ts";

/** Longest wait that a caller is told, in seconds. */
const LONGEST_RETRY_AFTER_SECONDS = 60;

type Told = ConstructorParameters<typeof RelayError>[0];

const TOO_LARGE = "request_too_large";
const FAILED: Told = { status: 502, code: "upstream_failed", message: "The provider failed to answer. Try again." };
const REFUSED: Told = {
  status: 502,
  code: "upstream_refused",
  message: "The provider refused the gateway's account. An administrator has to look at the channel.",
};

/** What is told of failures that are no fault of the request. */
const TOLD: Readonly<Record<Exclude<FailureKind, "bad-request" | "kept-elsewhere">, Told>> = {
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
 * Returns what the caller is told of the last failure. A fault of the request passes with the provider's own words; what is wrong with a
 * channel stays between the gateway and its administrators, and is never a 401: the caller's key is fine.
 */
export function answerForFailure(failure: Failure): RelayError {
  const { kind, status, message, param } = failure;
  if (kind === "bad-request" || kind === "kept-elsewhere") {
    const overflow = findOverflow(failure);
    const told = overflow === undefined ? codeForCaller(failure) : CONTEXT_LENGTH_EXCEEDED;
    return new RelayError({ status, message, param, type: REQUEST_ERROR, code: told, overflow });
  }
  const mayComeBack = kind === "rate-limited" || kind === "overloaded";
  return new RelayError(mayComeBack ? { ...TOLD[kind], retryAfterSeconds: retryAfterSeconds(failure) } : TOLD[kind]);
}

/** Whether a failure is about the channel's own key or account. */
export function isOfAccount({ kind }: Failure): boolean {
  return kind === "bad-credential" || kind === "out-of-credit";
}

/** OpenAI's type of every fault of a request; the types of other providers mean nothing to its clients. */
const REQUEST_ERROR = "invalid_request_error";
/** By this code OpenAI's clients know that they have to shorten the conversation. Source: https://platform.openai.com/docs/guides/error-codes */
const CONTEXT_LENGTH_EXCEEDED = "context_length_exceeded";

/** The provider's code; null without one and where it only repeats a status. A body that is too large has the code of no limit. */
function codeForCaller({ code, status }: Failure): string | null {
  if (status === 413) return TOO_LARGE;
  return code === "" || /^[45]\d\d$/.test(code) ? null : code;
}

function retryAfterSeconds(failure: Failure): number {
  const seconds = Math.ceil((failure.retryAfterMs ?? 1_000) / 1000);
  return Math.min(LONGEST_RETRY_AFTER_SECONDS, Math.max(1, seconds));
}

/** Reads an error of the HTTP client as a failure. `answerBegan`: after the upstream's headers. */
export function failureOfError(error: Error, answerBegan: boolean): Failure {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const kind = kindOfCode(code, answerBegan);
  return {
    kind,
    status: 0,
    message:
      code === INVALID_REQUEST ? unsendable(error) : (MESSAGES[kind] ?? "The connection to the provider failed."),
    code,
    type: "",
    param: null,
    retryAfterMs: null,
  };
}

/** Code of a request that the gateway's own code could not prepare. */
export const UNPREPARED = "request_unprepared";

/**
 * Reads an error that came before a request was sent, such as a missing account id or a token that was refused. Undefined for a refusal that ends the
 * request whatever channel it goes to. An error of the gateway's own code goes to the server's log with the facts.
 */
export function failureOfUncalled(
  error: unknown,
  log: Pick<Logger, "error">,
  facts: { readonly channelId: number | undefined; readonly requestId?: string },
): Failure | undefined {
  if (error instanceof ProviderFailedError) return error.failure;
  if (error instanceof RelayError) return undefined;
  if (error instanceof UncallableChannelError) return failureOf("connection", 0, error.message);
  log.error({ err: error, ...facts }, "a request to a channel could not be prepared");
  const message = "The request to the provider could not be prepared. The server's log names the cause.";
  return { ...failureOf("connection", 0, message), code: UNPREPARED };
}

/** What administrators read of a failure: its message, and in brackets what they can look up, such as ECONNREFUSED. */
export function explainFailure({ message, code }: Failure, status = 0): string {
  const facts = [...(status === 0 ? [] : [`status ${status}`]), ...(code === "" ? [] : [code])];
  return facts.length === 0 ? message : `${message.replace(/\.$/, "")} (${facts.join(", ")}).`;
}

/** What the log keeps of a failed attempt. Of an answer its status stands beside it; without one, the network's own word says why. */
export function noteOfFailure(failure: Failure): string {
  const message = failure.status === 0 ? explainFailure(failure) : failure.message;
  return `${failure.kind}: ${message}`.slice(0, 300);
}

/** The failure of a provider that leads elsewhere, which nobody follows with a key; undefined for another answer. `url` was asked. */
export function failureOfRedirect(status: number, location: unknown, url: string): Failure | undefined {
  if (status < 300 || status > 399 || typeof location !== "string" || !URL.canParse(location, url)) return undefined;
  // Path and query may carry keys.
  const { origin } = new URL(location, url);
  return failureOf(
    "bad-answer",
    status,
    `The provider's address redirects to ${origin}. Look at the channel's base_url.`,
  );
}

/** Builds a failure that the gateway itself has found in an answer. */
export function failureOf(kind: FailureKind, status: number, message: string): Failure {
  return { kind, status, message, code: "", type: "", param: null, retryAfterMs: null };
}

const MESSAGES: Partial<Record<FailureKind, string>> = {
  timeout: "The provider did not answer in time.",
  tls: "The provider's TLS certificate is not good.",
  "broken-stream": "The provider broke off its answer.",
};

/** The HTTP client's code for what it does not send. */
const INVALID_REQUEST = "UND_ERR_INVALID_ARG";

/** The client names what is wrong ("invalid authorization header"), and none of its content. */
function unsendable({ message }: Error): string {
  return `The request cannot be sent to the provider: ${message}. Look for line breaks and other special characters in the channel's key and headers.`;
}

function kindOfCode(code: string, answerBegan: boolean): FailureKind {
  if (code.endsWith("_TIMEOUT") || code === "ETIMEDOUT") return "timeout";
  if (/CERT|TLS|SSL|UNABLE_TO_/.test(code)) return "tls";
  return answerBegan ? "broken-stream" : "connection";
}
