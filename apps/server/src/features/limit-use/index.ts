export { registerLimitUseCalls } from "./limit-use.routes.ts";
export type { CountedLimits, ReadCounters } from "./read-limit-use.ts";
