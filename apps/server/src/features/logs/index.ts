export { registerLogCalls } from "./log.routes.ts";
export { writeLog } from "./log.repository.ts";
