import { type JsonRecord, numberOf, parseJson, recordOf, textOf } from "@one-api/providers/shared/json-fields";
import type { BatchRow } from "../../features/batches/index.ts";
import type { PassthroughRequest } from "../passthrough/index.ts";
import { responseHeaders } from "../dialects/index.ts";

/** A batch in these has ended at the provider. */
const FINAL: ReadonlySet<string> = new Set(["completed", "failed", "expired", "cancelled"]);

/** How the provider says that it stands, in OpenAI's words: Azure begins some of them with a capital. */
export function statusOf(batch: JsonRecord): string {
  return textOf(batch["status"]).toLowerCase();
}

/** A time that a provider names, in Unix seconds, as a number or, as Azure does, as a text; undefined where it names none. */
export function secondsOf(time: unknown): number | undefined {
  const ms = typeof time === "string" ? Date.parse(time) : Number.NaN;
  return Number.isNaN(ms) ? numberOf(time) : Math.floor(ms / 1000);
}

/** What a provider says of a batch, in OpenAI's words. */
function inPlainWords(data: JsonRecord): JsonRecord {
  const times = Object.keys(data).filter((name) => name.endsWith("_at"));
  return {
    ...data,
    status: statusOf(data),
    ...Object.fromEntries(times.map((name) => [name, secondsOf(data[name]) ?? null])),
  };
}

/** True where the provider will do nothing more about it. */
export function isFinal(batch: JsonRecord): boolean {
  return FINAL.has(statusOf(batch));
}

/** What the provider said of it last. */
function dataOf({ data }: Pick<BatchRow, "data">): JsonRecord {
  return recordOf(parseJson(data));
}

/**
 * A batch as its owner sees it: with the file that the caller named, and, until what it delivered is charged, without its files and not at its end yet.
 * https://platform.openai.com/docs/api-reference/batch/object
 */
export function presentBatch(batch: BatchRow): JsonRecord {
  const data = dataOf(batch);
  const shown = { ...inPlainWords(data), id: batch.batch_id, object: "batch", input_file_id: batch.source_file_id };
  if (batch.state === "closed") return shown;
  const closed = { ...shown, output_file_id: null, error_file_id: null };
  if (batch.state === "lost") return { ...closed, status: isFinal(data) ? statusOf(data) : "failed" };
  if (!isFinal(data)) return closed;
  const status = statusOf(data) === "cancelled" ? "cancelling" : "finalizing";
  return { ...closed, status, completed_at: null, expired_at: null, cancelled_at: null, failed_at: null };
}

/** Answers with JSON. */
export function sendBatch({ response, requestId, dialect }: PassthroughRequest, json: JsonRecord): void {
  const text = JSON.stringify(json);
  response.writeHead(200, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...responseHeaders(requestId, dialect),
  });
  response.end(text);
}
