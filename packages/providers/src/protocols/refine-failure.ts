import { findOverflow } from "../context-overflow.ts";
import type { Failure, FailureKind } from "../failure.ts";

const UNDECIDED: ReadonlySet<FailureKind> = new Set(["bad-answer", "broken-stream", "server-error"]);

/**
 * Sentences with which providers refuse the gateway's account as if the request were bad. They must start the message:
 * quoted text of callers must not disable a channel.
 */
const ACCOUNT_SENTENCES: readonly (readonly [RegExp, FailureKind])[] = [
  // Anthropic, https://docs.anthropic.com/en/api/errors; also behind resellers and clouds.
  [/^your credit balance is too low/i, "out-of-credit"],
  [/^(?:insufficient (?:balance|credits?|quota|funds)|余额不足|账户(?:余额不足|已欠费))/i, "out-of-credit"],
  // An unsupported country at Google, and its key error without ErrorInfo.
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

const REQUEST_STATUSES: ReadonlySet<number> = new Set([
  400, 405, 406, 409, 410, 411, 413, 414, 415, 416, 417, 422, 424, 431,
]);
const TOO_LARGE = 413;

/**
 * Refines a failure that codes and statuses alone do not classify. Rules in this order:
 * 1. Status 413 is a bad request, even with a code of a limit.
 * 2. A bad request with a sentence about the gateway's account is a failure of the account.
 * 3. An undecided failure with a sentence about an overlong prompt is a bad request.
 * 4. A bad request has a request status.
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
