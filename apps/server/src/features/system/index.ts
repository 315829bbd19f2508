export type { SystemParts } from "./get-system.ts";
export { Outages } from "./outages.ts";
export { type ReportedParts, reportServer, reportStop } from "./report-server.ts";
export { registerSystemCalls } from "./system.routes.ts";
