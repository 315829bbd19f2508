export type { ForeseenCeiling, ForeseeShares, RoutingChange } from "./what-if-dependencies.ts";
export { registerWhatIfCalls } from "./what-if.routes.ts";
