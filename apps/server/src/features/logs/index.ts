export { registerLogCalls } from "./log.routes.ts";
