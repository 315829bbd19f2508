export { foldNextUsage, STEP_SIZES } from "./fold-usage.ts";
export { readUsage, type UsageQuestion } from "./read-usage.ts";
export type { SumKey, SumTable } from "./sum-table.ts";
export { nameTokens } from "./usage-tokens.repository.ts";
export {
  addSums,
  negativeSums,
  NO_SUMS,
  partOfSums,
  SLOT_SECONDS,
  type SumName,
  type Sums,
  typicalFirstByteMs,
} from "./usage-sums.ts";
