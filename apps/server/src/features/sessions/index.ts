export { authenticateSession } from "./authenticate-session.ts";
export { endSessions } from "./end-sessions.ts";
export { registerSessionCalls } from "./session.routes.ts";
export { startSession } from "./start-session.ts";
