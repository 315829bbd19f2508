import { type BatchApi, openAiBatches } from "../../batch-api.ts";
import { type JsonRecord, recordOf, textOf } from "../../shared/json-fields.ts";

/** Models that Novita names for batches at half the price; no page lists others. */
const ANSWERED_LATER = new Set([
  "deepseek/deepseek-r1-0528",
  "openai/gpt-oss-120b",
  "qwen/qwen3-4b-fp8",
  "qwen/qwen3-vl-235b-a22b-instruct",
]);

const asOpenAi = openAiBatches((model) => (ANSWERED_LATER.has(model) ? 0.5 : undefined));

/**
 * Novita's batches are nearly OpenAI's, with another completion window. Sources: https://novita.ai/docs/guides/llm-batch-api and, for models
 * and price, https://blogs.novita.ai/batch-api-reduce-bandwidth-waste-and-improve-api-efficiency
 */
export const novitaBatches: BatchApi = {
  ...asOpenAi,
  writeJob: (job) => ({ ...asOpenAi.writeJob(job), completion_window: "48h" }),
  readBatch,
};

/** Fields in OpenAI's format. Others contain the account's key and the creator, so they are dropped. */
const SAID_ALIKE = [
  "id",
  "object",
  "endpoint",
  "input_file_id",
  "completion_window",
  "created_at",
  "in_progress_at",
  "expires_at",
  "finalizing_at",
  "completed_at",
  "failed_at",
  "expired_at",
  "cancelling_at",
  "cancelled_at",
  "metadata",
] as const;

function readBatch(job: JsonRecord): JsonRecord {
  const status = textOf(job["status"]).toLowerCase();
  const message = textOf(job["errors"]);
  return {
    ...Object.fromEntries(SAID_ALIKE.map((name) => [name, job[name] ?? null])),
    request_counts: recordOf(job["request_counts"]),
    status: status === "progress" ? "in_progress" : status,
    errors: message === "" ? null : { object: "list", data: [{ message }] },
    output_file_id: textOf(job["output_file_id"]) || null,
    error_file_id: textOf(job["error_file_id"]) || null,
  };
}
