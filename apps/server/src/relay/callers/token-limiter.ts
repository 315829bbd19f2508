import { LRUCache } from "lru-cache";
import type { Clock } from "../../platform/clock.ts";
import { RelayError } from "../errors/index.ts";
import { SlidingWindow } from "./sliding-window.ts";

/** A token's limits per minute; 0 is no limit. */
export interface TokenLimits {
  readonly tokenId: number;
  readonly requestsPerMinute: number;
  readonly imagesPerMinute: number;
  /** Model tokens, prompt and completion. */
  readonly modelTokensPerMinute: number;
}

/** Headers that tell a caller where it stands: limit, remaining and reset of whatever is limited. */
type LimitHeaders = Readonly<Record<string, string>>;

/** A request that was let in. */
export interface Admission {
  /** Headers of its answer. */
  readonly headers: LimitHeaders;
  /** Puts what was really used, in model tokens, in the place of what was held. Only the first call counts. */
  settle(modelTokens: number): void;
}

/** Holds callers to their limits per minute, inside this process. */
export interface TokenLimiter {
  /**
   * Counts one request, among those for pictures where it is one, and holds all model tokens that it may use until it is settled. Throws a 429 RelayError with Retry-After when nothing
   * is left under a limit. So a request is let in while anything is left, however long its answer may be, and whatever calls run at once: what
   * was used in any minute never exceeds the limit by more than the bound of one request.
   */
  admit(limits: TokenLimits, modelTokens: number, isForImages?: boolean): Admission;
  /** Where the caller stands now, for answers to what is not counted. */
  standing(limits: TokenLimits): LimitHeaders;
}

/** Tokens whose counters are kept; beyond it the least recently used are forgotten. */
const MAX_COUNTERS = 50_000;
/** A caller whose own running requests hold all that the limit leaves may come back after this, in seconds. */
const HELD_RETRY_SECONDS = 5;

interface Counters {
  readonly requests: SlidingWindow;
  readonly images: SlidingWindow;
  readonly modelTokens: SlidingWindow;
  /** Model tokens that running requests may use. */
  held: number;
}

/** Where one limit stands. */
interface Standing {
  readonly what: "requests" | "images" | "tokens";
  readonly limit: number;
  readonly used: number;
  /** Seconds until one more fits. */
  readonly resetSeconds: number;
}

/** Builds the limiter. */
export function createTokenLimiter(clock: Clock): TokenLimiter {
  const known = new LRUCache<number, Counters>({ max: MAX_COUNTERS });
  const countersOf = (tokenId: number): Counters => {
    const counters = known.get(tokenId) ?? newCounters();
    known.set(tokenId, counters);
    return counters;
  };
  return {
    admit(limits, modelTokens, isForImages) {
      if (isUnlimited(limits)) return UNLIMITED;
      const counters = countersOf(limits.tokenId);
      const now = clock.monotonicMs();
      for (const standing of standings(limits, counters, now)) {
        if (standing.what !== "images" || isForImages === true) refuseAtLimit(standing, limits, counters, now);
      }
      counters.requests.add(now, 1);
      if (isForImages === true) counters.images.add(now, 1);
      counters.held += modelTokens;
      let isSettled = false;
      return {
        headers: toHeaders(standings(limits, counters, now)),
        settle(used) {
          if (isSettled) return;
          isSettled = true;
          counters.held -= modelTokens;
          counters.modelTokens.add(clock.monotonicMs(), used);
        },
      };
    },
    standing(limits) {
      if (isUnlimited(limits)) return UNLIMITED.headers;
      return toHeaders(standings(limits, known.get(limits.tokenId) ?? newCounters(), clock.monotonicMs()));
    },
  };
}

const UNLIMITED: Admission = { headers: {}, settle: () => undefined };

function isUnlimited({ requestsPerMinute, imagesPerMinute, modelTokensPerMinute }: TokenLimits): boolean {
  return requestsPerMinute === 0 && imagesPerMinute === 0 && modelTokensPerMinute === 0;
}

function newCounters(): Counters {
  return { requests: new SlidingWindow(), images: new SlidingWindow(), modelTokens: new SlidingWindow(), held: 0 };
}

function standings(limits: TokenLimits, counters: Counters, nowMs: number): Standing[] {
  const { requestsPerMinute, imagesPerMinute, modelTokensPerMinute } = limits;
  const { requests, images, modelTokens, held } = counters;
  const all: Standing[] = [
    {
      what: "requests",
      limit: requestsPerMinute,
      used: requests.total(nowMs),
      resetSeconds: requests.secondsUntilFree(nowMs, 1, requestsPerMinute),
    },
    {
      what: "images",
      limit: imagesPerMinute,
      used: images.total(nowMs),
      resetSeconds: images.secondsUntilFree(nowMs, 1, imagesPerMinute),
    },
    {
      what: "tokens",
      limit: modelTokensPerMinute,
      used: modelTokens.total(nowMs) + held,
      resetSeconds: modelTokens.secondsUntilFree(nowMs, 1, modelTokensPerMinute),
    },
  ];
  return all.filter(({ limit }) => limit > 0);
}

function toHeaders(all: readonly Standing[]): LimitHeaders {
  const headers: Record<string, string> = {};
  for (const { what, limit, used, resetSeconds } of all) {
    headers[`x-ratelimit-limit-${what}`] = String(limit);
    headers[`x-ratelimit-remaining-${what}`] = String(Math.max(0, limit - used));
    headers[`x-ratelimit-reset-${what}`] = `${resetSeconds}s`;
  }
  return headers;
}

function refuseAtLimit(standing: Standing, limits: TokenLimits, counters: Counters, nowMs: number): void {
  const { what, limit, used, resetSeconds } = standing;
  if (used < limit) return;
  const waitSeconds = Math.max(resetSeconds, resetSeconds === 0 ? HELD_RETRY_SECONDS : 1);
  throw new RelayError({
    status: 429,
    type: what,
    code: "rate_limit_exceeded",
    message: `This token has reached its limit of ${limit} ${what} per minute (used: ${used}). Try again in ${waitSeconds} seconds.`,
    values: { limited: what, limit },
    retryAfterSeconds: waitSeconds,
    headers: toHeaders(standings(limits, counters, nowMs)),
  });
}
