export { registerLimitUseCalls } from "./limit-use.routes.ts";
export type { CountedLimits } from "./read-limit-use.ts";
