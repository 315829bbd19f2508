export { registerDashboardCalls } from "./dashboard.routes.ts";
