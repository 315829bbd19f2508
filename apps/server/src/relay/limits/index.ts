export { leftOf, type LimitHeaders, nearestLimits, type WriteLimits } from "./limit-state.ts";
export { type Admission, RateLimiter, UNLIMITED } from "./rate-limiter.ts";
export { SharedCounters } from "./shared-counters.ts";
