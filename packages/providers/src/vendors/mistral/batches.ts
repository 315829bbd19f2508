import type { BatchApi } from "../../batch-api.ts";
import { parseExact } from "../../shared/exact-numbers.ts";
import { type JsonRecord, listOf, numberOf, recordOf, textOf } from "../../shared/json-fields.ts";

/** States of a job in OpenAI's terms; an unknown state counts as running. */
const STATES: ReadonlyMap<string, string> = new Map([
  ["QUEUED", "validating"],
  ["RUNNING", "in_progress"],
  ["SUCCESS", "completed"],
  ["FAILED", "failed"],
  ["TIMEOUT_EXCEEDED", "expired"],
  ["CANCELLATION_REQUESTED", "cancelling"],
  ["CANCELLED", "cancelled"],
]);

const ENDED_AT: ReadonlyMap<string, string> = new Map([
  ["completed", "completed_at"],
  ["failed", "failed_at"],
  ["expired", "expired_at"],
  ["cancelled", "cancelled_at"],
]);

const PAGE_LENGTH = 100;
const HOURS = 24;

/**
 * Mistral's batches are jobs: model and endpoint are in the job instead of the lines, and lists have page numbers.
 * Source: https://docs.mistral.ai/api/endpoint/batch; requests cost half: https://docs.mistral.ai/capabilities/batch
 */
export const mistralBatches: BatchApi = {
  priceFactor: () => 0.5,
  path: "/batch/jobs",
  writeLine: ({ customId, body }) =>
    JSON.stringify({ custom_id: customId, body: { ...recordOf(parseExact(body)), model: undefined } }),
  writeJob: ({ fileId, endpoint, model, metadata }) => ({
    input_files: [fileId],
    endpoint,
    model,
    timeout_hours: HOURS,
    ...(metadata !== undefined && { metadata }),
  }),
  readBatch,
  listQuery: (page) => ({ page: String(page), page_size: String(PAGE_LENGTH), order_by: "-created" }),
  readList({ data }) {
    const jobs = listOf(data).map(recordOf);
    return { jobs, hasMore: jobs.length >= PAGE_LENGTH };
  },
};

function readBatch(job: JsonRecord): JsonRecord {
  const status = STATES.get(textOf(job["status"])) ?? "in_progress";
  const ended = ENDED_AT.get(status);
  const createdAt = numberOf(job["created_at"]);
  const errors = listOf(job["errors"]).map((each) => ({ message: textOf(recordOf(each)["message"]) }));
  return {
    id: textOf(job["id"]),
    object: "batch",
    endpoint: textOf(job["endpoint"]),
    model: job["model"] ?? null,
    errors: errors.length > 0 ? { object: "list", data: errors } : null,
    input_file_id: textOf(listOf(job["input_files"])[0]),
    completion_window: `${HOURS}h`,
    status,
    output_file_id: job["output_file"] ?? null,
    error_file_id: job["error_file"] ?? null,
    created_at: createdAt ?? null,
    in_progress_at: job["started_at"] ?? null,
    expires_at: createdAt === undefined ? null : createdAt + HOURS * 60 * 60,
    ...(ended !== undefined && { [ended]: job["completed_at"] ?? null }),
    request_counts: {
      total: numberOf(job["total_requests"]) ?? 0,
      completed: numberOf(job["succeeded_requests"]) ?? 0,
      failed: numberOf(job["failed_requests"]) ?? 0,
    },
    metadata: job["metadata"] ?? null,
  };
}
