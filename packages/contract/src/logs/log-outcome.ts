import { LOG_TYPE } from "../constants.ts";

/**
 * Outcome of an entry in usage totals. `failed`: by no fault of the caller; `refund`: only lowers the quota; `other`:
 * no request. UNKNOWN_COST is added if the cost is unknown.
 */
export const LOG_OUTCOME = { good: 0, refused: 1, failed: 2, refund: 6, other: 7 } as const;

export const UNKNOWN_COST = 3;

const REFUSED: ReadonlySet<string> = new Set(["refused", "over-budget"]);
/** Results of requests that failed by no fault of the caller. `provider-refused` is one for some statuses only. */
export const FAILED_RESULTS: ReadonlySet<string> = new Set([
  "cut",
  "provider-limited",
  "provider-failed",
  "connection",
  "timeout",
  "gateway-failed",
]);
/** Statuses that refuse the channel's key or account; any other 4xx refuses the request. */
const CHANNEL_STATUSES: ReadonlySet<number> = new Set([401, 402, 403]);

export interface OutcomeColumns {
  readonly type: number;
  readonly result: string;
  readonly status_code: number;
  /** In quota; below 0 if unknown. */
  readonly cost: number;
}

/** Returns the outcome of an entry as a number from 0 to 7, with UNKNOWN_COST added where it applies. */
export function outcomeOf({ type, result, status_code: status, cost }: OutcomeColumns): number {
  if (type === LOG_TYPE.refund) return LOG_OUTCOME.refund;
  if (type !== LOG_TYPE.consumption) return LOG_OUTCOME.other;
  return requestOutcome(result, status) + (cost < 0 ? UNKNOWN_COST : 0);
}

function requestOutcome(result: string, status: number): number {
  if (REFUSED.has(result)) return LOG_OUTCOME.refused;
  const isFailure = FAILED_RESULTS.has(result) || (result === "provider-refused" && CHANNEL_STATUSES.has(status));
  return isFailure ? LOG_OUTCOME.failed : LOG_OUTCOME.good;
}
