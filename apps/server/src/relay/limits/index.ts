export {
  leftOf,
  type LimitHeaders,
  type LimitState,
  nearestLimits,
  type Need,
  type WriteLimits,
} from "./limit-state.ts";
export { type Admission, RateLimiter, UNLIMITED } from "./rate-limiter.ts";
export { SharedCounters } from "./shared-counters.ts";
