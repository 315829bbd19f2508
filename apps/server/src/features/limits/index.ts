export { type CallerLimits, type LimitedSubject, limitsOf, type Rule } from "./limits-of.ts";
