import { findOverflow } from "../context-overflow.ts";
import type { Failure, FailureKind } from "../failure.ts";

/** Kinds that a code or a status of the provider has not decided. */
const UNDECIDED: ReadonlySet<FailureKind> = new Set(["bad-answer", "broken-stream", "server-error"]);

/**
 * Fixed sentences by which providers refuse the gateway's own account with the status and code of a request at fault. Each is bound to the beginning of
 * the message: what a caller wrote is quoted later in it, so no request can make a channel look refused.
 */
const ACCOUNT_SENTENCES: readonly (readonly [RegExp, FailureKind])[] = [
  // Anthropic, https://docs.anthropic.com/en/api/errors; also behind resellers and clouds.
  [/^your credit balance is too low/i, "out-of-credit"],
  [/^(?:insufficient (?:balance|credits?|quota|funds)|余额不足|账户(?:余额不足|已欠费))/i, "out-of-credit"],
  // A country that Google does not serve, and its key where no ErrorInfo comes along.
  [/^user location is not supported/i, "bad-credential"],
  [/^(?:the provided )?api key (?:not valid|not found|expired|is (?:invalid|not valid|expired))/i, "bad-credential"],
  // xAI answers a wrong key with 400, https://docs.x.ai/docs/key-information/debugging.
  [
    /^(?:incorrect|invalid|missing|expired) (?:api[ -]?key|api[ -]?token|access token|authorization header)/i,
    "bad-credential",
  ],
  [/^(?:authentication (?:error|failed)|unauthorized|invalid authentication)/i, "bad-credential"],
  // Cloudflare answers a malformed token and an unknown account with 400.
  [
    /^(?:invalid (?:request headers|format for authorization header)|unable to authenticate request|could not route to)/i,
    "bad-credential",
  ],
  // Amazon Bedrock, for an account that may not call models.
  [/^operation not allowed/i, "bad-credential"],
];

/** Statuses that say something of a request. Every other one that comes with a fault of the request is told as 400. */
const REQUEST_STATUSES: ReadonlySet<number> = new Set([
  400, 405, 406, 409, 410, 411, 413, 414, 415, 416, 417, 422, 424, 431,
]);
const TOO_LARGE = 413;

/**
 * Returns the failure with the kind and status that codes and statuses alone do not tell. The rules of every format, in this order:
 * 1. Status 413 is a fault of the request, whatever its code says of limits.
 * 2. A fault of the request whose sentence is about the gateway's account is a fault of the account.
 * 3. An undecided failure whose sentence says that the prompt is too long is a fault of the request.
 * 4. A fault of the request has a status that says so.
 */
export function refineFailure(failure: Failure): Failure {
  const kind = refinedKind(failure);
  const status = kind === "bad-request" && !REQUEST_STATUSES.has(failure.status) ? 400 : failure.status;
  return kind === failure.kind && status === failure.status ? failure : { ...failure, kind, status };
}

function refinedKind(failure: Failure): FailureKind {
  const { kind, status, message } = failure;
  if (status === TOO_LARGE) return "bad-request";
  if (kind === "bad-request") return ACCOUNT_SENTENCES.find(([sentence]) => sentence.test(message))?.[1] ?? kind;
  return UNDECIDED.has(kind) && findOverflow(failure) !== undefined ? "bad-request" : kind;
}
