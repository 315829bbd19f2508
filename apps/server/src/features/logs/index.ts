export {
  insertStoredBodies,
  type StoredBodies,
  removeBodiesBefore,
  trimBodies,
} from "./bodies/stored-body.repository.ts";
export { redactBody } from "./bodies/redact-body.ts";
export { createLogClearings, type LogClearings, removeOldLogs } from "./clear-logs.ts";
export { registerLogCalls } from "./log.routes.ts";
export { RESULT_OF_FAILURE, resultOfFailure } from "./result-of-failure.ts";
export { askLog } from "./ask-log.ts";
export { countRefusals, listRefusedNames } from "./errors/count-refusals.ts";
export { NO_FILTER } from "./log-filter.ts";
export { writeLog } from "./log.repository.ts";
export { readDetail, type UsageCharge, type UsageChoice, type UsageDetail, writeDetail } from "./usage-detail.ts";
export { presentFirstByte } from "./present-usage.ts";
