/** Failed logins of one account or one network, as stored. Times in Unix seconds. */
export interface FailureCount {
  readonly failures: number;
  readonly lastFailureAt: number;
  readonly blockedUntil: number;
}

const FREE_ACCOUNT_FAILURES = 5;
const MAX_ACCOUNT_DELAY_SECONDS = 15 * 60;
/** An account without failures for this long starts afresh. */
const ACCOUNT_MEMORY_SECONDS = 24 * 3600;
/** Failures after which a login has to show that it is made by a person, where that can be asked. */
const FAILURES_BEFORE_HUMAN_CHECK = 3;
const MAX_NETWORK_FAILURES = 20;
const NETWORK_WINDOW_SECONDS = 10 * 60;

/** Nobody has failed yet. */
export const NO_FAILURES: FailureCount = { failures: 0, lastFailureAt: 0, blockedUntil: 0 };

/** Machines that share a database disagree on the time by less than this. */
const CLOCK_SKEW_SECONDS = 60;

/** A failure in the future: the clock was set back, and how long ago it really was cannot be told. Nobody is locked out for that. */
function isFromLaterClock({ lastFailureAt }: FailureCount, now: number): boolean {
  return lastFailureAt - now > CLOCK_SKEW_SECONDS;
}

/** Seconds until the account may try again; 0 for now. */
export function accountWaitSeconds(count: FailureCount, now: number): number {
  return isFromLaterClock(count, now) ? 0 : Math.max(0, count.blockedUntil - now);
}

/** Whether the account's failures ask for the human check. */
export function accountNeedsHumanCheck(count: FailureCount, now: number): boolean {
  return count.failures >= FAILURES_BEFORE_HUMAN_CHECK && now - count.lastFailureAt < ACCOUNT_MEMORY_SECONDS;
}

/** Whether the network's failures ask for the human check. */
export function networkNeedsHumanCheck(count: FailureCount, now: number): boolean {
  return count.failures >= FAILURES_BEFORE_HUMAN_CHECK && now < count.blockedUntil;
}

/** One more failure of an account: from the fifth on each doubles the wait, from 1 s to 15 min. */
export function afterAccountFailure(count: FailureCount, now: number): FailureCount {
  const failures = now - count.lastFailureAt >= ACCOUNT_MEMORY_SECONDS ? 1 : count.failures + 1;
  const doublings = failures - FREE_ACCOUNT_FAILURES;
  const delay = doublings < 0 ? 0 : Math.min(2 ** doublings, MAX_ACCOUNT_DELAY_SECONDS);
  return { failures, lastFailureAt: now, blockedUntil: now + delay };
}

/** Seconds until the network may try again; 0 for now. A network's `blockedUntil` is the end of the window that it is counted in. */
export function networkWaitSeconds(count: FailureCount, now: number): number {
  if (count.failures < MAX_NETWORK_FAILURES || isFromLaterClock(count, now)) return 0;
  return Math.max(0, count.blockedUntil - now);
}

/** One more failure from a network: 20 in 10 minutes close it for the rest of them. */
export function afterNetworkFailure(count: FailureCount, now: number): FailureCount {
  if (now >= count.blockedUntil || isFromLaterClock(count, now))
    return { failures: 1, lastFailureAt: now, blockedUntil: now + NETWORK_WINDOW_SECONDS };
  return { ...count, failures: count.failures + 1, lastFailureAt: now };
}

/** One failure less, for a login that turned out right. */
export function withoutOneFailure(count: FailureCount): FailureCount {
  return { ...count, failures: Math.max(0, count.failures - 1) };
}
