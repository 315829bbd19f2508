export { createGroupLimits, type FindGroupLimits } from "./group-limits.ts";
export { pickChangedLimits, pickLimits } from "./limit-columns.ts";
export { type CallerLimits, type LimitedSubject, limitsOf, limitsOfAccount, type Rule } from "./limits-of.ts";
