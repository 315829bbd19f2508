export { registerAuditCalls } from "./audit.routes.ts";
export { listOptionChangeTimes } from "./audit.repository.ts";
export { type AuditRetention, forgetOldAudit } from "./forget-old-audit.ts";
export { checkAudit, getAuditSeal } from "./seals/check-audit.ts";
export { sealAudit } from "./seals/seal-audit.ts";
export { type AuditVerdict, type KnownSeal, verifyAudit } from "./seals/verify-audit.ts";
export { readChange } from "./audit.present.ts";
