export { registerAuditCalls } from "./audit.routes.ts";
export { keepAudit } from "./keep-audit.ts";
export { type AuditVerdict, type KnownSeal, verifyAudit } from "./seals/verify-audit.ts";
export type { NameRows } from "./list-audit.ts";
