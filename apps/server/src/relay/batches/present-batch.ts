import { type JsonRecord, numberOf, parseJson, recordOf, textOf } from "@one-api/providers/shared/json-fields";
import type { BatchRow } from "../../features/batches/index.ts";
import type { PassthroughRequest } from "../passthrough/index.ts";
import { responseHeaders } from "../dialects/index.ts";

const FINAL: ReadonlySet<string> = new Set(["completed", "failed", "expired", "cancelled"]);

/** OpenAI's status. Azure capitalises some of them. */
export function statusOf(batch: JsonRecord): string {
  return textOf(batch["status"]).toLowerCase();
}

/** Unix seconds of a number or, at Azure, a text; undefined if absent. */
export function secondsOf(time: unknown): number | undefined {
  const ms = typeof time === "string" ? Date.parse(time) : Number.NaN;
  return Number.isNaN(ms) ? numberOf(time) : Math.floor(ms / 1000);
}

function toOpenAiForm(data: JsonRecord): JsonRecord {
  const times = Object.keys(data).filter((name) => name.endsWith("_at"));
  return {
    ...data,
    status: statusOf(data),
    ...Object.fromEntries(times.map((name) => [name, secondsOf(data[name]) ?? null])),
  };
}

export function isFinal(batch: JsonRecord): boolean {
  return FINAL.has(statusOf(batch));
}

function dataOf({ data }: Pick<BatchRow, "data">): JsonRecord {
  return recordOf(parseJson(data));
}

/**
 * A batch for its owner, with the caller's own file id. Until it is charged, it has no output files and is not final.
 * https://platform.openai.com/docs/api-reference/batch/object
 */
export function presentBatch(batch: BatchRow): JsonRecord {
  const data = dataOf(batch);
  const shown = { ...toOpenAiForm(data), id: batch.batch_id, object: "batch", input_file_id: batch.source_file_id };
  if (batch.state === "closed") return shown;
  const closed = { ...shown, output_file_id: null, error_file_id: null };
  if (batch.state === "lost") return { ...closed, status: isFinal(data) ? statusOf(data) : "failed" };
  if (!isFinal(data)) return closed;
  const status = statusOf(data) === "cancelled" ? "cancelling" : "finalizing";
  return { ...closed, status, completed_at: null, expired_at: null, cancelled_at: null, failed_at: null };
}

export function sendBatch({ response, requestId, dialect }: PassthroughRequest, json: JsonRecord): void {
  const text = JSON.stringify(json);
  response.writeHead(200, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...responseHeaders(requestId, dialect),
  });
  response.end(text);
}
