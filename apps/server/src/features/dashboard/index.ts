export { queueDailyDigest } from "./queue-daily-digest.ts";
export { registerDashboardCalls } from "./dashboard.routes.ts";
