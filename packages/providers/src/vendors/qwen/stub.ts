import { openAiApi } from "../../protocols/openai/stub/stub.ts";
import { countPairs, rank, readQuestion, rerank } from "../../stub-kit/rerank.ts";
import { type Call, faultlessJson, json, type Reply } from "../../stub-kit/call.ts";
import { countField, objectField, objectsField } from "../../stub-kit/json-fields.ts";
import { pictureUrls } from "../../stub-kit/pictures/picture-store.ts";
import { beginTask, cancelTask, lookAtTask } from "../../stub-kit/pictures/picture-tasks.ts";
import { readModel } from "../../stub-kit/read-model.ts";
import { errorsByStatus, refuse } from "../../stub-kit/refusal.ts";
import { usageField } from "../../stub-kit/report-usage.ts";
import type { Stub } from "../../stub-kit/stub.ts";

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
      writeError: errorsByStatus(
        { 400: "InvalidParameter", 401: "InvalidApiKey", 403: "AccessDenied", 429: "Throttling.RateQuota" },
        "InternalError",
        (code, message) => ({ code, message, request_id: "stub" }),
      ),
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

/** Returns the number of pictures. Throws RequestRefused for a field that is not documented. */
function readParameters(call: Call, known: string): number {
  readModel(call);
  const parameters = objectField(call.body, "parameters");
  const foreign = [
    ...Object.keys(call.body).filter((name) => !["model", "input", "parameters"].includes(name)),
    ...Object.keys(parameters).filter((name) => !known.split(" ").includes(name)),
  ];
  if (foreign.length > 0) refuse(`${foreign.join()} is not known`);
  const { size } = parameters;
  if (size !== undefined && (typeof size !== "string" || !/^\d+\*\d+$/.test(size)))
    refuse("size must be match pattern");
  return countField(parameters, "n", 1) ?? 1;
}

function synthesize(call: Call): Reply {
  if (call.headers["x-dashscope-async"] !== "enable") {
    refuse("current user api does not support synchronous calls.", { status: 403 });
  }
  const count = readParameters(call, "size n seed prompt_extend watermark");
  if (typeof objectField(call.body, "input")["prompt"] !== "string") refuse("input.prompt is required");
  const output = { task_id: beginTask(call, count), task_status: "PENDING" };
  return faultlessJson({ request_id: call.id, output });
}

const STATUS_OF_STATE = { running: "RUNNING", done: "SUCCEEDED", failed: "FAILED", cancelled: "CANCELED" } as const;
const FAILURE = { code: "DataInspectionFailed", message: "Input data may contain inappropriate content." };

function getTask(call: Call): Reply {
  const { id = "" } = call.params;
  const { state, count } = lookAtTask(id, call.behaviour);
  const results = state === "failed" ? FAILURE : state === "done" ? { results: resultsOf(call, count) } : {};
  return faultlessJson({
    request_id: call.id,
    output: { task_id: id, task_status: STATUS_OF_STATE[state], ...results },
  });
}

function resultsOf(call: Call, count: number): readonly object[] {
  const prompts = { orig_prompt: "asked", actual_prompt: "as it was painted" };
  const made = pictureUrls(call, count).map((url) => ({ url, ...prompts }));
  const missed = Array.from({ length: count - made.length }, () => ({ code: "InternalError", message: "failed" }));
  return [...made, ...missed];
}

function endTask({ id, params }: Call): Reply {
  cancelTask(params["id"] ?? "");
  return faultlessJson({ request_id: id });
}

function generate(call: Call): Reply {
  const count = readParameters(call, "size n seed prompt_extend watermark negative_prompt");
  const [message] = objectsField(objectField(call.body, "input"), "messages");
  const content = objectsField(message ?? {}, "content");
  const model = String(call.body["model"]);
  if (content.filter(({ text }) => typeof text === "string").length !== 1) refuse("exactly one text is required");
  if (model.includes("edit") !== content.some(({ image }) => typeof image === "string")) refuse("image does not fit");
  const said = { role: "assistant", content: pictureUrls(call, count).map((image) => ({ image })) };
  const usage = { width: 1328, height: 1328, image_count: count };
  return json({ output: { choices: [{ finish_reason: "stop", message: said }] }, usage, request_id: call.id });
}

function ownRerank(call: Call): Reply {
  const { id, body, behaviour } = call;
  readModel(call);
  const { texts, query } = readQuestion(objectField(body, "input"));
  const output = { results: rank(query, texts, countField(objectField(body, "parameters"), "top_n", 1)) };
  return json({ request_id: id, output, ...usageField({ total_tokens: countPairs(query, texts) }, behaviour) });
}
