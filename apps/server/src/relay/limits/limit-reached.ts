import { RelayError } from "../errors/index.ts";
import { type LimitState } from "./limit-state.ts";

/** Retry-After where running requests have reserved the rest of a limit, in seconds. */
const RESERVED_RETRY_SECONDS = 5;
/** Retry-After of concurrent requests, in seconds: one may end at any time. */
const CONCURRENT_RETRY_SECONDS = 1;

const WINDOW_NAMES = new Map([
  [60, "per minute"],
  [18_000, "in five hours"],
  [86_400, "in a day"],
]);

export class LimitReachedError extends RelayError {
  readonly state: LimitState;

  constructor(state: LimitState) {
    const { subject, rule, used } = state;
    const { kind, limit, seconds } = rule;
    const waitSeconds = retrySeconds(state);
    const owner = { token: "token", account: "account", model: "account" }[subject.of];
    const of = kind === "concurrent" ? "requests at the same time" : `${kind} ${WINDOW_NAMES.get(seconds) ?? ""}`;
    const model = subject.of === "model" ? " for this model" : "";
    const unit = waitSeconds === 1 ? "second" : "seconds";
    super({
      status: 429,
      type: kind === "concurrent" ? "requests" : kind,
      code: "rate_limit_exceeded",
      message: `This ${owner} has reached its limit of ${limit} ${of}${model} (used: ${used}). Try again in ${waitSeconds} ${unit}.`,
      values: { limited: kind, limit, window: seconds },
      retryAfterSeconds: waitSeconds,
    });
    this.state = state;
  }
}

function retrySeconds({ rule, resetSeconds }: LimitState): number {
  if (rule.kind === "concurrent") return CONCURRENT_RETRY_SECONDS;
  return resetSeconds === 0 ? RESERVED_RETRY_SECONDS : resetSeconds;
}
