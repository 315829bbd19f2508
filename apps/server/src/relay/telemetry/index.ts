export type { Arrival, EndedRequest, RequestTrace, RequestTracer, TracedAttempt } from "./ended-request.ts";
export { RequestCounts } from "./request-counts.ts";
export { createRequestLog, REQUEST_LOG_FIELDS, type RequestLogOptions } from "./request-log.ts";
export { Telemetry } from "./telemetry.ts";
export type { TimeBuckets } from "./time-buckets.ts";
