export { registerLogCalls } from "./log.routes.ts";
export { writeLog } from "./log.repository.ts";
export type { UsageCharge, UsageDetail } from "./usage-detail.ts";
