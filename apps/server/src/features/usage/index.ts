export { foldNextUsage, STEP_SIZES } from "./fold-usage.ts";
export { firstByteWithin, NO_FIRST_BYTES } from "./first-bytes.ts";
export { readUsage, type UsageQuestion } from "./read-usage.ts";
export { addTables, type SumKey, type SumTable } from "./sum-table.ts";
export { nameTokens } from "./usage-tokens.repository.ts";
export { addSums, negativeSums, NO_SUMS, partOfSums, presentFirstByte, SLOT_SECONDS, type Sums } from "./usage-sums.ts";
