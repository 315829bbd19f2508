/** Failed logins of an account or a network. Times in Unix seconds. */
export interface FailureCount {
  readonly failures: number;
  readonly lastFailureAt: number;
  readonly blockedUntil: number;
}

const FREE_ACCOUNT_FAILURES = 5;
const MAX_ACCOUNT_DELAY_SECONDS = 15 * 60;
/** Failures of an account are forgotten after this time. */
const ACCOUNT_MEMORY_SECONDS = 24 * 3600;
/** Failures after which the human check is required, if it is turned on. */
const FAILURES_BEFORE_HUMAN_CHECK = 3;
const MAX_NETWORK_FAILURES = 20;
const NETWORK_WINDOW_SECONDS = 10 * 60;

/** Upper bound of the difference between two servers' clocks. */
const CLOCK_SKEW_SECONDS = 60;

/** True for a failure in the future: the clock was set back, so its age is unknown and it must not block. */
function isFromLaterClock({ lastFailureAt }: FailureCount, now: number): boolean {
  return lastFailureAt - now > CLOCK_SKEW_SECONDS;
}

/** Seconds until the account may try again; 0 for now. */
export function accountWaitSeconds(count: FailureCount, now: number): number {
  return isFromLaterClock(count, now) ? 0 : Math.max(0, count.blockedUntil - now);
}

export function accountNeedsHumanCheck(count: FailureCount, now: number): boolean {
  return count.failures >= FAILURES_BEFORE_HUMAN_CHECK && now - count.lastFailureAt < ACCOUNT_MEMORY_SECONDS;
}

export function networkNeedsHumanCheck(count: FailureCount, now: number): boolean {
  return count.failures >= FAILURES_BEFORE_HUMAN_CHECK && now < count.blockedUntil;
}

/** Adds a failure of an account. From the fifth on each doubles the wait, from 1 s to 15 min. */
export function afterAccountFailure(count: FailureCount, now: number): FailureCount {
  const failures = now - count.lastFailureAt >= ACCOUNT_MEMORY_SECONDS ? 1 : count.failures + 1;
  const doublings = failures - FREE_ACCOUNT_FAILURES;
  const delay = doublings < 0 ? 0 : Math.min(2 ** doublings, MAX_ACCOUNT_DELAY_SECONDS);
  return { failures, lastFailureAt: now, blockedUntil: now + delay };
}

/** Seconds until the network may try again; 0 for now. A network's `blockedUntil` is the end of its window. */
export function networkWaitSeconds(count: FailureCount, now: number): number {
  if (count.failures < MAX_NETWORK_FAILURES || isFromLaterClock(count, now)) return 0;
  return Math.max(0, count.blockedUntil - now);
}

/** Adds a failure of a network. 20 failures within 10 minutes block it until the window ends. */
export function afterNetworkFailure(count: FailureCount, now: number): FailureCount {
  if (now >= count.blockedUntil || isFromLaterClock(count, now))
    return { failures: 1, lastFailureAt: now, blockedUntil: now + NETWORK_WINDOW_SECONDS };
  return { ...count, failures: count.failures + 1, lastFailureAt: now };
}

export function withoutOneFailure(count: FailureCount): FailureCount {
  return { ...count, failures: Math.max(0, count.failures - 1) };
}
