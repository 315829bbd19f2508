import { findRoute } from "../../stub-kit/routes.ts";
import type { Stub } from "../../stub-kit/stub.ts";
import { openAiApi } from "../../protocols/openai/stub/stub.ts";
import { isJsonObject, type JsonObject, listField } from "../../stub-kit/json-fields.ts";
import { refuse } from "../../stub-kit/refusal.ts";
import { type Call, json, type Reply } from "../../stub-kit/call.ts";
import {
  allBatches,
  cancelBatch,
  type FindEndpoint,
  lookAtBatch,
  makeBatch,
  readLines,
  type StubBatch,
} from "../../protocols/openai/stub/stored-batches.ts";

const STATES: Readonly<Record<string, string>> = {
  validating: "QUEUED",
  in_progress: "RUNNING",
  completed: "SUCCESS",
  failed: "FAILED",
  expired: "TIMEOUT_EXCEEDED",
  cancelling: "CANCELLATION_REQUESTED",
  cancelled: "CANCELLED",
};

const lookUp: FindEndpoint = (method, path) => findRoute(openAi.routes, method, path)?.endpoint;
const openAi = openAiApi();

/** OpenAI's API and batch jobs. Source: https://docs.mistral.ai/api/endpoint/batch */
export const mistralStub: Stub = {
  apis: [
    {
      ...openAi,
      routes: {
        "POST /v1/batch/jobs": createJob,
        "GET /v1/batch/jobs": listJobs,
        "POST /v1/batch/jobs/{id}/cancel": (call) => json(present(call, cancelBatch(call))),
        "GET /v1/batch/jobs/{id}": (call) => json(present(call, lookAtBatch(lookUp, call))),
        ...openAi.routes,
      },
    },
  ],
};

function createJob(call: Call): Reply {
  const { model, endpoint, timeout_hours: hours, metadata } = call.body;
  const [inputId] = listField(call.body, "input_files");
  if (typeof model !== "string" || typeof endpoint !== "string" || typeof hours !== "number")
    refuse("model, endpoint and timeout_hours are required", { status: 422 });
  if (typeof inputId !== "string") refuse("input_files must be a list", { status: 422 });
  const batch = makeBatch(call, inputId, { endpoint, model, metadata: metadata ?? null });
  const isOdd = readLines(call, batch).some((line) => !isMistralLine(JSON.parse(line)));
  if (isOdd) refuse("A line has a custom_id and a body without a model.", { status: 422 });
  return json(present(call, batch));
}

function isMistralLine(line: unknown): boolean {
  if (!isJsonObject(line) || !isJsonObject(line["body"])) return false;
  return typeof line["custom_id"] === "string" && line["body"]["model"] === undefined;
}

function listJobs(call: Call): Reply {
  const data = allBatches(call).map((batch) => present(call, batch));
  return json({ object: "list", data, total: data.length });
}

function present(call: Call, batch: StubBatch): JsonObject {
  const { about, status, inputId, outputId, errorId } = batch;
  const lines = readLines(call, batch).length;
  const isDone = status === "completed";
  return {
    ...about,
    object: "batch",
    input_files: [inputId],
    output_file: outputId,
    error_file: errorId,
    errors: [],
    status: STATES[status],
    total_requests: lines,
    completed_requests: isDone ? lines : 0,
    succeeded_requests: isDone ? lines : 0,
    failed_requests: 0,
    completed_at: isDone ? about["created_at"] : null,
  };
}
