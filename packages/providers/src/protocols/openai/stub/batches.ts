import type { JsonObject } from "../../../stub-kit/json-fields.ts";
import { type Call, json, type Reply } from "../../../stub-kit/call.ts";
import type { Routes } from "../../../stub-kit/routes.ts";
import {
  allBatches,
  cancelBatch,
  fileContent,
  type FindEndpoint,
  isAtAzure,
  lookAtBatch,
  makeBatch,
  type StubBatch,
} from "./stored-batches.ts";

/** Source: https://platform.openai.com/docs/api-reference/batch */
export function batchRoutes(find: FindEndpoint): Routes {
  return {
    "POST /batches": createBatch,
    "GET /batches": listBatches,
    "POST /batches/{id}/cancel": (call) => json(present(call, cancelBatch(call))),
    "GET /batches/{id}": (call) => json(present(call, lookAtBatch(find, call))),
    "GET /files/(?<id>batch-[^/]+)/content": fileContent,
  };
}

function createBatch(call: Call): Reply {
  const { body } = call;
  return json(present(call, makeBatch(call, String(body["input_file_id"]), { object: "batch", ...body })));
}

function listBatches(call: Call): Reply {
  const data = allBatches(call).map((batch) => present(call, batch));
  return json({ object: "list", data, has_more: false });
}

/**
 * Azure capitalizes states and writes times as strings:
 * https://learn.microsoft.com/azure/ai-foundry/openai/how-to/batch
 */
function present(call: Call, { about, status, outputId, errorId }: StubBatch): JsonObject {
  const batch = { ...about, output_file_id: outputId, error_file_id: errorId };
  if (!isAtAzure(call)) return { ...batch, status };
  const created_at = new Date(Number(about["created_at"]) * 1000).toISOString();
  return { ...batch, created_at, status: status.slice(0, 1).toUpperCase() + status.slice(1) };
}
