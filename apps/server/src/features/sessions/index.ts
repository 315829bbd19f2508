export { authenticateSession } from "./authenticate-session.ts";
export { enterAccount, type EnteringBrowser } from "./enter-account.ts";
export { endSessions } from "./end-sessions.ts";
export { forgetFailureCounts, clearFailures } from "./login-throttle.ts";
export { browserOf, registerSessionCalls } from "./session.routes.ts";
export { startSession } from "./start-session.ts";
