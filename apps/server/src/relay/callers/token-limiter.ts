import { LRUCache } from "lru-cache";
import type { Clock } from "../../platform/clock.ts";
import { RelayError } from "../errors/index.ts";
import { SlidingWindow } from "./sliding-window.ts";

/** Limits per minute; 0: none. */
export interface TokenLimits {
  readonly tokenId: number;
  readonly requestsPerMinute: number;
  readonly imagesPerMinute: number;
  readonly modelTokensPerMinute: number;
}

type LimitHeaders = Readonly<Record<string, string>>;

export interface Admission {
  readonly headers: LimitHeaders;
  /** Replaces the reserved model tokens by those used. Idempotent. */
  settle(modelTokens: number): void;
}

export interface TokenLimiter {
  /**
   * Throws a 429 RelayError with Retry-After if a limit is used up. A request is admitted while anything is left,
   * so usage in a minute exceeds the limit by at most the upper bound of one request.
   */
  admit(limits: TokenLimits, modelTokens: number, isForImages?: boolean): Admission;
  standing(limits: TokenLimits): LimitHeaders;
}

const MAX_COUNTERS = 50_000;
/** Retry-After of a token whose running requests have reserved the rest of its limit. */
const RESERVED_RETRY_SECONDS = 5;

interface Counters {
  readonly requests: SlidingWindow;
  readonly images: SlidingWindow;
  readonly modelTokens: SlidingWindow;
  reserved: number;
}

interface Standing {
  readonly what: "requests" | "images" | "tokens";
  readonly limit: number;
  readonly used: number;
  readonly resetSeconds: number;
}

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
      counters.reserved += modelTokens;
      let isSettled = false;
      return {
        headers: toHeaders(standings(limits, counters, now)),
        settle(used) {
          if (isSettled) return;
          isSettled = true;
          counters.reserved -= modelTokens;
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
  return { requests: new SlidingWindow(), images: new SlidingWindow(), modelTokens: new SlidingWindow(), reserved: 0 };
}

function standings(limits: TokenLimits, counters: Counters, nowMs: number): Standing[] {
  const { requestsPerMinute, imagesPerMinute, modelTokensPerMinute } = limits;
  const { requests, images, modelTokens, reserved } = counters;
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
      used: modelTokens.total(nowMs) + reserved,
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
  const waitSeconds = Math.max(resetSeconds, resetSeconds === 0 ? RESERVED_RETRY_SECONDS : 1);
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
