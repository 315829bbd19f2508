export { foldNextUsage, STEP_SIZES } from "./fold-usage.ts";
export { readUsage } from "./read-usage.ts";
export { addSums, NO_SUMS, SLOT_SECONDS, type Sums, typicalFirstByteMs } from "./usage-sums.ts";
