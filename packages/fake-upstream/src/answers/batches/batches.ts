import type { JsonObject } from "../../json-fields.ts";
import type { Call, Endpoint, Reply } from "../../reply.ts";
import { findMistralJobs } from "./mistral-jobs.ts";
import {
  allBatches,
  cancelBatch,
  fileContent,
  type FindEndpoint,
  isAtAzure,
  lookAtBatch,
  makeBatch,
  type StubBatch,
} from "./stub-batches.ts";

/** OpenAI's batches, Mistral's, and the files that belong to them: https://platform.openai.com/docs/api-reference/batch */
export function findBatchEndpoint(find: FindEndpoint, method: string, path: string): Endpoint | undefined {
  const asked = `${method} ${path.replace(/(?<=^\/v1\/(?:batches|files)\/)[\w-]+/, ":id")}`;
  if (asked === "POST /v1/batches") return createBatch;
  if (asked === "GET /v1/batches") return listBatches;
  if (asked === "POST /v1/batches/:id/cancel") return (call) => shown(call, cancelBatch(call));
  if (asked === "GET /v1/batches/:id") return (call) => shown(call, lookAtBatch(find, call));
  if (asked === "GET /v1/files/:id/content" && path.includes("/files/batch-")) return fileContent;
  return findMistralJobs(find, method, path);
}

function createBatch(call: Call): Reply {
  const { body } = call;
  return shown(call, makeBatch(call, String(body["input_file_id"]), { object: "batch", ...body }));
}

function listBatches(call: Call): Reply {
  const data = allBatches(call).map((batch) => present(call, batch));
  return { kind: "json", body: { object: "list", data, has_more: false }, tokens: 0 };
}

function shown(call: Call, batch: StubBatch): Reply {
  return { kind: "json", body: present(call, batch), tokens: 0 };
}

/** Azure begins states with a capital and writes times as texts: https://learn.microsoft.com/azure/ai-foundry/openai/how-to/batch */
function present(call: Call, { about, status, outputId, errorId }: StubBatch): JsonObject {
  const batch = { ...about, output_file_id: outputId, error_file_id: errorId };
  if (!isAtAzure(call)) return { ...batch, status };
  const created_at = new Date(Number(about["created_at"]) * 1000).toISOString();
  return { ...batch, created_at, status: status.slice(0, 1).toUpperCase() + status.slice(1) };
}
