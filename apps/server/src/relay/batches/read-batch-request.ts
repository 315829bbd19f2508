import type { IncomingMessage } from "node:http";
import { isRecord, type JsonRecord, parseJson, textOf } from "@one-api/providers/shared/json-fields";
import { badField } from "../body/index.ts";
import { BATCH_SHAPES } from "../dialects/index.ts";

const MAX_BYTES = 64 * 1024;

export interface BatchRequest {
  readonly inputFileId: string;
  readonly endpoint: string;
  readonly completionWindow: string;
  readonly metadata: JsonRecord | undefined;
}

const FIELDS = new Set(["input_file_id", "endpoint", "completion_window", "metadata"]);

/** Reads the body of POST /v1/batches. Throws a 400 RelayError that names the field. https://platform.openai.com/docs/api-reference/batch/create */
export async function readBatchRequest(request: IncomingMessage): Promise<BatchRequest> {
  const json = parseJson(await readText(request));
  if (!isRecord(json)) throw badField("body", "The body is not a valid JSON object.");
  const unknown = Object.keys(json).find((name) => !FIELDS.has(name));
  if (unknown !== undefined) throw badField(unknown, `${unknown} is not offered here. Send the batch without it.`);
  const inputFileId = textOf(json["input_file_id"]);
  if (!/^[A-Za-z0-9_-]{1,256}$/.test(inputFileId))
    throw badField("input_file_id", "Name the file to run: upload it with the purpose batch first.");
  const endpoint = textOf(json["endpoint"]);
  if (!BATCH_SHAPES.has(endpoint))
    throw badField("endpoint", `endpoint must be one of ${[...BATCH_SHAPES.keys()].join(", ")}.`);
  const completionWindow = textOf(json["completion_window"]);
  if (completionWindow !== "24h") throw badField("completion_window", 'completion_window must be "24h".');
  const metadata = json["metadata"] ?? undefined;
  if (metadata !== undefined && !isRecord(metadata)) throw badField("metadata", "metadata must be an object of texts.");
  return { inputFileId, endpoint, completionWindow, metadata };
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    length += chunk.length;
    if (length > MAX_BYTES) throw badField("body", `The body is longer than ${MAX_BYTES / 1024} KiB.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
