import { LRUCache } from "lru-cache";
import type { Clock } from "../../core/clock.ts";
import { RelayError } from "../relay-error.ts";
import { SlidingWindow } from "./sliding-window.ts";

/** A token's limits per minute; 0 is no limit. */
export interface TokenLimits {
  readonly tokenId: number;
  readonly requestsPerMinute: number;
  /** Model tokens, prompt and completion. */
  readonly modelTokensPerMinute: number;
}

/** Headers that tell a caller where it stands. */
export type LimitHeaders = Readonly<Record<string, string>>;

/** Holds callers to their limits per minute, inside this process. */
export interface TokenLimiter {
  /** Counts one request. Throws a 429 RelayError with Retry-After when a limit is reached. Returns the headers of the answer. */
  admit(limits: TokenLimits): LimitHeaders;
  /** Counts the model tokens that a request has used. */
  consume(limits: TokenLimits, modelTokens: number): void;
}

/** Tokens whose counters are kept; beyond it the least recently used are forgotten. */
const MAX_COUNTERS = 50_000;

/** Builds the limiter. */
export function createTokenLimiter(clock: Clock): TokenLimiter {
  const requests = new LRUCache<number, SlidingWindow>({ max: MAX_COUNTERS });
  const modelTokens = new LRUCache<number, SlidingWindow>({ max: MAX_COUNTERS });
  return {
    admit(limits) {
      const now = clock.nowMs();
      const headers: Record<string, string> = {};
      check(modelTokens, limits.tokenId, limits.modelTokensPerMinute, "tokens", 0, now, headers);
      const requestWindow = check(requests, limits.tokenId, limits.requestsPerMinute, "requests", 1, now, headers);
      requestWindow?.add(now, 1);
      return headers;
    },
    consume(limits, used) {
      if (limits.modelTokensPerMinute > 0) windowOf(modelTokens, limits.tokenId).add(clock.nowMs(), used);
    },
  };
}

function check(
  windows: LRUCache<number, SlidingWindow>,
  tokenId: number,
  limit: number,
  what: "requests" | "tokens",
  amount: number,
  nowMs: number,
  headers: Record<string, string>,
): SlidingWindow | undefined {
  if (limit === 0) return undefined;
  const window = windowOf(windows, tokenId);
  const used = window.total(nowMs);
  const wait = window.secondsUntilFree(nowMs, Math.max(amount, 1), limit);
  headers[`x-ratelimit-limit-${what}`] = String(limit);
  headers[`x-ratelimit-remaining-${what}`] = String(Math.max(0, limit - used - amount));
  headers[`x-ratelimit-reset-${what}`] = `${wait}s`;
  if (used + Math.max(amount, 1) > limit) {
    throw new RelayError({
      status: 429,
      type: what,
      code: "rate_limit_exceeded",
      message: `This token has reached its limit of ${limit} ${what} per minute (used: ${used}). Try again in ${wait} seconds.`,
      retryAfterSeconds: wait,
      headers,
    });
  }
  return window;
}

function windowOf(windows: LRUCache<number, SlidingWindow>, tokenId: number): SlidingWindow {
  const known = windows.get(tokenId);
  if (known !== undefined) return known;
  const window = new SlidingWindow();
  windows.set(tokenId, window);
  return window;
}
