export { buildNextBatch } from "./groups/build-log-groups.ts";
export { findSettledId } from "./groups/find-settled-id.ts";
export { keepLogs } from "./keep-logs.ts";
export { registerLogCalls } from "./log.routes.ts";
export { findNewestId, writeLog } from "./log.repository.ts";
export type { UsageCharge, UsageChoice, UsageDetail } from "./usage-detail.ts";
