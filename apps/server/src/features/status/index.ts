export type { ServerFacts } from "./status.routes.ts";
export { registerStatusCalls } from "./status.routes.ts";
