export type { ServerFacts } from "./status.present.ts";
export { registerStatusCalls } from "./status.routes.ts";
