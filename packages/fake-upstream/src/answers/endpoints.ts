import { countTokens, listClaudes, messages } from "./anthropic/messages.ts";
import { chatCompletions, completions } from "./openai/completions.ts";
import { embeddings } from "./openai/embeddings.ts";
import { findGeminiEndpoint } from "./gemini/gemini-endpoints.ts";
import type { Call, Endpoint, Reply } from "../reply.ts";
import { bearerKey, openAiErrorBody, RequestRefused } from "../refusal.ts";
import type { RequestRecord } from "../request-log.ts";
import { aiProxyLibraryApi } from "./ai-proxy-library.ts";
import { anthropicErrorBody, anthropicKey, isAnthropic } from "./anthropic/anthropic-api.ts";
import { bedrockApi } from "./bedrock/bedrock-api.ts";
import { baiduApi, baiduTokens } from "./baidu.ts";
import { cohereApi } from "./cohere/cohere.ts";
import { hunyuanApi } from "./hunyuan.ts";
import { cozeApi } from "./coze.ts";
import { deepLApi } from "./deepl.ts";
import { geminiErrorBody, geminiKey, isGemini } from "./gemini/gemini-api.ts";
import { imageEdits, imageGenerations } from "./openai/images.ts";
import { likeOpenAi } from "./like-openai.ts";
import { googleTokenApi } from "./vertex/google-token.ts";
import { vertexApi, vertexClaudeApi } from "./vertex/vertex-api.ts";
import { miniMaxApi } from "./minimax.ts";
import { ollamaApi } from "./ollama.ts";
import { sparkApi } from "./spark.ts";
import type { SpokenApi } from "./spoken-api.ts";
import { contentText, inputTexts } from "./prompt.ts";
import { replicateApi, replicateStreamApi } from "./replicate.ts";
import { findBatchEndpoint } from "./batches/batches.ts";
import { findKeptEndpoint } from "./openai/kept-objects.ts";
import { dashScopeApi } from "./pictures/dashscope.ts";
import { pictureStore } from "./pictures/picture-store.ts";
import { dashScopeRerank, rerank } from "./rerank.ts";
import { responses } from "./openai/responses.ts";
import { recordings, speech } from "./openai/sound.ts";

const endpoints = new Map<string, Endpoint>([
  ["POST /v1/chat/completions", chatCompletions],
  ["POST /v1/responses", responses],
  ["POST /v1beta/openai/chat/completions", chatCompletions],
  ["POST /v1beta/openai/embeddings", embeddings],
  ["POST /v1/completions", completions],
  ["POST /v1/embeddings", embeddings],
  ["POST /v1/moderations", moderations],
  ["POST /v1/rerank", rerank],
  ["POST /compatible-api/v1/reranks", rerank],
  ["POST /api/v1/services/rerank/text-rerank/text-rerank", dashScopeRerank],
  ["POST /v1/images/generations", imageGenerations],
  ["POST /v1beta/openai/images/generations", imageGenerations],
  ["POST /v1/images/edits", imageEdits],
  ["POST /v1/images/variations", imageEdits],
  ["POST /v1/audio/speech", speech],
  ["POST /v1/audio/transcriptions", recordings],
  ["POST /v1/audio/translations", recordings],
  ["GET /v1/models", listModels],
  ["GET /v1/dashboard/billing/subscription", billingSubscription],
  ["GET /v1/dashboard/billing/usage", billingUsage],
]);

const anthropicEndpoints = new Map<string, Endpoint>([
  ["POST /v1/messages", messages],
  ["POST /v1/messages/count_tokens", countTokens],
  ["GET /v1/models", listClaudes],
]);

const openAiApi: SpokenApi = {
  isSpoken: () => true,
  readKey: ({ authorization }) => bearerKey(authorization),
  writeError: (_status, body) => body,
  find(method, path) {
    const endpoint = endpoints.get(`${method} ${path}`);
    if (endpoint !== undefined) return endpoint;
    const kept =
      findBatchEndpoint((asked, at) => openAiApi.find(asked, at), method, path) ?? findKeptEndpoint(method, path);
    if (kept !== undefined) return kept;
    return method === "GET" && path.startsWith("/v1/models/") ? retrieveModel : undefined;
  },
};

const openAiLikes = likeOpenAi(openAiApi);

const anthropicApi: SpokenApi = {
  isSpoken: isAnthropic,
  readKey: anthropicKey,
  writeError: anthropicErrorBody,
  find: (method, path) => anthropicEndpoints.get(`${method} ${path}`),
};

const geminiApi: SpokenApi = {
  isSpoken: isGemini,
  readKey: geminiKey,
  writeError: geminiErrorBody,
  find: findGeminiEndpoint,
};

/** Whose API a request speaks: the first that knows it as its own, else OpenAI's. */
export function spokenApi(record: Pick<RequestRecord, "path" | "headers" | "body">): SpokenApi {
  const apis = [
    vertexApi,
    vertexClaudeApi,
    googleTokenApi,
    bedrockApi,
    geminiApi,
    ollamaApi,
    miniMaxApi,
    cohereApi,
    cozeApi,
    baiduApi,
    baiduTokens,
    hunyuanApi,
    sparkApi,
    deepLApi,
    aiProxyLibraryApi,
    replicateApi,
    replicateStreamApi,
    pictureStore,
    dashScopeApi,
    anthropicApi,
    openAiLikes,
  ];
  return apis.find((api) => api.isSpoken(record)) ?? openAiApi;
}

const createdAtSeconds = 1_715_367_049;

/** GET /v1/models. */
function listModels({ settings }: Call): Reply {
  return { kind: "json", body: { object: "list", data: settings.models.map(model) }, tokens: 0 };
}

/** GET /v1/models/{id}. */
function retrieveModel({ path, settings }: Call): Reply {
  const id = decoded(path.slice("/v1/models/".length));
  if (!settings.models.includes(id)) {
    const details = { param: "model", code: "model_not_found" };
    throw new RequestRefused(404, openAiErrorBody(`The model '${id}' does not exist`, details));
  }
  return { kind: "json", body: model(id), tokens: 0 };
}

function model(id: string): object {
  return { id, object: "model", created: createdAtSeconds, owned_by: "openai" };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const categories = [
  "harassment",
  "harassment/threatening",
  "hate",
  "hate/threatening",
  "illicit",
  "illicit/violent",
  "self-harm",
  "self-harm/instructions",
  "self-harm/intent",
  "sexual",
  "sexual/minors",
  "violence",
  "violence/graphic",
] as const;

/** POST /v1/moderations; an input is flagged for each category whose name it contains, such as "violence". */
function moderations(call: Call): Reply {
  const { body, id } = call;
  const texts = moderatedTexts(body["input"]);
  if (texts.length === 0)
    throw new RequestRefused(400, openAiErrorBody("'input' cannot be empty.", { param: "input" }));
  const asked = typeof body["model"] === "string" ? body["model"] : "omni-moderation-latest";
  return { kind: "json", body: { id: `modr-${id}`, model: asked, results: texts.map(judge) }, tokens: 0 };
}

/** Strings are judged one by one; a list of text and image parts is one input. */
function moderatedTexts(input: unknown): string[] {
  const isListOfParts = Array.isArray(input) && input.some((item) => typeof item === "object");
  return isListOfParts ? [contentText(input)] : inputTexts(input);
}

function judge(text: string): object {
  const lowerCase = text.toLowerCase();
  const names = categories.map((name) => ({ name, isFlagged: lowerCase.includes(name) }));
  return {
    flagged: names.some(({ isFlagged }) => isFlagged),
    categories: Object.fromEntries(names.map(({ name, isFlagged }) => [name, isFlagged])),
    category_scores: Object.fromEntries(names.map(({ name, isFlagged }) => [name, isFlagged ? 0.98 : 0.0001])),
    category_applied_input_types: Object.fromEntries(names.map(({ name }) => [name, ["text"]])),
  };
}

/** GET /v1/dashboard/billing/subscription: the limit in dollars. */
function billingSubscription({ settings }: Call): Reply {
  const limit = settings.balance.hardLimitUsd;
  const body = {
    object: "billing_subscription",
    has_payment_method: true,
    soft_limit_usd: limit,
    hard_limit_usd: limit,
    system_hard_limit_usd: limit,
    access_until: 0,
  };
  return { kind: "json", body, tokens: 0 };
}

/** GET /v1/dashboard/billing/usage: what was spent, in cents; the dates of the query change nothing. */
function billingUsage({ settings }: Call): Reply {
  return { kind: "json", body: { object: "list", total_usage: settings.balance.totalUsageCents }, tokens: 0 };
}
