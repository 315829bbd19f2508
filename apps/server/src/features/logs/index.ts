export { insertKeptBodies, type KeptBodies, trimBodies } from "./bodies/kept-body.repository.ts";
export { redactBody } from "./bodies/redact-body.ts";
export { buildNextBatch } from "./groups/build-log-groups.ts";
export { keepLogs } from "./keep-logs.ts";
export { registerLogCalls } from "./log.routes.ts";
export { RESULT_OF_FAILURE, resultOfFailure } from "./result-of-failure.ts";
export { sumLogsByResult } from "./sum-logs-by-result.ts";
export { findNextStretch, type IdStretch, NO_FILTER, type ResultTotals, writeLog } from "./log.repository.ts";
export { readDetail, type UsageCharge, type UsageChoice, type UsageDetail, writeDetail } from "./usage-detail.ts";
