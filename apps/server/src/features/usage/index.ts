export { foldNextUsage } from "./fold-usage.ts";
export { readUsage, type UsageAnswer } from "./read-usage.ts";
export { SLOT_SECONDS, type Sums } from "./usage-sums.ts";
