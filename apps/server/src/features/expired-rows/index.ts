export { forgetExpiredRows } from "./forget-expired-rows.ts";
