export type { BatchServices } from "./batch-services.ts";
export { followDueBatches } from "./follow-batches.ts";
export { findBatchCall } from "./serve-batches.ts";
