export type { Arrival, EndedRequest } from "./ended-request.ts";
export { RequestCounts } from "./request-counts.ts";
export { Telemetry } from "./telemetry.ts";
export type { TimeBuckets } from "./time-buckets.ts";
