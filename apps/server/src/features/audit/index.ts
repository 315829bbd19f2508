export { registerAuditCalls } from "./audit.routes.ts";
export { keepAudit } from "./forget-old-audit.ts";
export type { NameRows } from "./list-audit.ts";
