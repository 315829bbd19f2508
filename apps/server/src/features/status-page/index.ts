export { registerStatusPageCalls } from "./status-page.routes.ts";
