export { createUpgradeHandler } from "./handle-upgrade.ts";
export { isSessionRequest, sessionApiAt } from "./session-request.ts";
export type { SessionServices } from "./session-services.ts";
