import { openAiApi } from "../../protocols/openai/stub/stub.ts";
import { countPairs, rank, readQuestion, rerank } from "../../protocols/rerank/stub.ts";
import { reportUsage } from "../../stub-kit/report-usage.ts";
import { readModel } from "../../stub-kit/read-model.ts";
import { countField, isJsonObject, type JsonObject, listField } from "../../stub-kit/json-fields.ts";
import { bearerKey, openAiErrorBody, RequestRefused } from "../../stub-kit/refusal.ts";
import { type Call, json, type Reply } from "../../stub-kit/call.ts";
import type { Stub } from "../../stub-kit/stub.ts";
import { beginTask, cancelTask, lookAtTask, type TaskState } from "../../stub-kit/picture-tasks.ts";
import { pictureUrls } from "../../stub-kit/picture-store.ts";

const CODE_OF_STATUS: Readonly<Record<number, string>> = {
  400: "InvalidParameter",
  401: "InvalidApiKey",
  403: "AccessDenied",
  429: "Throttling.RateQuota",
};

/**
 * DashScope's pictures and reranking, and the OpenAI-compatible API. Source:
 * https://help.aliyun.com/en/model-studio/text-to-image-v2-api-reference
 */
export const qwenStub: Stub = {
  apis: [
    {
      routes: {
        "POST /api/v1/services/aigc/text2image/image-synthesis": synthesize,
        "POST /api/v1/services/aigc/multimodal-generation/generation": generate,
        "GET /api/v1/tasks/{id}": getTask,
        "POST /api/v1/tasks/{id}/cancel": endTask,
      },
      readKey: ({ authorization }) => bearerKey(authorization),
      writeError: (status, { error }) => ({
        code: CODE_OF_STATUS[status] ?? "InternalError",
        message: error.message,
        request_id: "stub",
      }),
    },
    openAiApi({
      at: "/compatible-mode/v1",
      routes: {
        "POST /compatible-api/v1/reranks": rerank,
        "POST /api/v1/services/rerank/text-rerank/text-rerank": ownRerank,
      },
    }),
  ],
};

function objectField(body: JsonObject, name: string): JsonObject {
  const value = body[name];
  return isJsonObject(value) ? value : {};
}

function refuse(message: string, status = 400): never {
  throw new RequestRefused(status, openAiErrorBody(message));
}

function readParameters(call: Call, known: readonly string[]): number {
  readModel(call);
  const parameters = objectField(call.body, "parameters");
  const foreign = [
    ...Object.keys(call.body).filter((name) => !["model", "input", "parameters"].includes(name)),
    ...Object.keys(parameters).filter((name) => !known.includes(name)),
  ];
  if (foreign.length > 0) refuse(`${foreign.join()} is not known`);
  const { size } = parameters;
  if (size !== undefined && (typeof size !== "string" || !/^\d+\*\d+$/.test(size)))
    refuse("size must be match pattern");
  return countField(parameters, "n", 1) ?? 1;
}

function synthesize(call: Call): Reply {
  if (call.headers["x-dashscope-async"] !== "enable") {
    refuse("current user api does not support synchronous calls.", 403);
  }
  const count = readParameters(call, ["size", "n", "seed", "prompt_extend", "watermark"]);
  const input = objectField(call.body, "input");
  if (typeof input["prompt"] !== "string") refuse("input.prompt is required");
  const output = { task_id: beginTask(call, count), task_status: "PENDING" };
  return { kind: "json", isSound: true, body: { request_id: call.id, output }, tokens: 0 };
}

const STATUS_OF_STATE: Readonly<Record<TaskState, string>> = {
  running: "RUNNING",
  done: "SUCCEEDED",
  failed: "FAILED",
  cancelled: "CANCELED",
};

function getTask(call: Call): Reply {
  const { id = "" } = call.params;
  const { state, count } = lookAtTask(id, call.behaviour);
  const output = { task_id: id, task_status: STATUS_OF_STATE[state], ...resultsOf(call, state, count) };
  return { kind: "json", isSound: true, body: { request_id: call.id, output }, tokens: 0 };
}

function resultsOf(call: Call, state: TaskState, count: number): JsonObject {
  if (state === "failed")
    return { code: "DataInspectionFailed", message: "Input data may contain inappropriate content." };
  if (state !== "done") return {};
  const made = pictureUrls(call, count).map((url) => ({
    url,
    orig_prompt: "asked",
    actual_prompt: "as it was painted",
  }));
  const missed = Array.from({ length: count - made.length }, () => ({ code: "InternalError", message: "failed" }));
  return { results: [...made, ...missed] };
}

function endTask({ id, params }: Call): Reply {
  cancelTask(params["id"] ?? "");
  return { kind: "json", isSound: true, body: { request_id: id }, tokens: 0 };
}

function generate(call: Call): Reply {
  const count = readParameters(call, ["size", "n", "seed", "prompt_extend", "watermark", "negative_prompt"]);
  const [message] = listField(objectField(call.body, "input"), "messages");
  const content = isJsonObject(message) ? listField(message, "content").filter(isJsonObject) : [];
  const model = String(call.body["model"]);
  if (content.filter(({ text }) => typeof text === "string").length !== 1) refuse("exactly one text is required");
  if (model.includes("edit") !== content.some(({ image }) => typeof image === "string")) refuse("image does not fit");
  const choices = [
    {
      finish_reason: "stop",
      message: { role: "assistant", content: pictureUrls(call, count).map((image) => ({ image })) },
    },
  ];
  const usage = { width: 1328, height: 1328, image_count: count };
  return { kind: "json", body: { output: { choices }, usage, request_id: call.id }, tokens: 0 };
}

/** Source: https://help.aliyun.com/en/model-studio/text-rerank-api */
function ownRerank(call: Call): Reply {
  const { id, body, behaviour } = call;
  readModel(call);
  const { texts, query } = readQuestion(objectField(body, "input"));
  const output = { results: rank(query, texts, countField(objectField(body, "parameters"), "top_n", 1)) };
  const usage = reportUsage({ total_tokens: countPairs(query, texts) }, behaviour);
  return json({ request_id: id, output, ...(usage && { usage }) });
}
