import { countField, isJsonObject, type JsonObject, listField } from "../../json-fields.ts";
import { openAiErrorBody, RequestRefused } from "../../refusal.ts";
import type { Call, Endpoint, Reply } from "../../reply.ts";
import { anthropicErrorBody } from "../anthropic/anthropic-api.ts";
import { chatCompletions } from "../openai/completions.ts";
import { embeddingVector } from "../openai/embeddings.ts";
import { geminiErrorBody } from "../gemini/gemini-api.ts";
import { findGeminiEndpoint } from "../gemini/gemini-endpoints.ts";
import { reportUsage } from "../generation.ts";
import { countTokens, messages } from "../anthropic/messages.ts";
import { contentText, countWords } from "../prompt.ts";
import { PIXEL } from "../pictures/picture-store.ts";
import type { SpokenApi } from "../spoken-api.ts";
import { readToken } from "./google-token.ts";

const PLACE = String.raw`^/v1(?:beta1)?/projects/[\w-]+/locations/[\w-]+`;
const CLAUDE = new RegExp(String.raw`${PLACE}/publishers/anthropic/models/[^/:]+:(?:rawPredict|streamRawPredict)$`);
const OPEN_API = new RegExp(`${PLACE}/endpoints/openapi/chat/completions$`);
const GOOGLE = new RegExp(String.raw`${PLACE}/publishers/google/models/[^/:]+:\w+$`);
const GARDEN = /^\/v1beta1\/publishers\/(google|anthropic)\/models$/;

/** Claude on Vertex AI. */
export const vertexClaudeApi: SpokenApi = {
  isSpoken: ({ path }) => CLAUDE.test(path),
  readKey: readToken,
  writeError: anthropicErrorBody,
  find: (method) => (method === "POST" ? askClaude : undefined),
};

/** Gemini and models of others on Vertex AI, and the list of them. Source: https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest */
export const vertexApi: SpokenApi = {
  isSpoken: ({ path }) => GOOGLE.test(path) || OPEN_API.test(path) || GARDEN.test(path),
  readKey: readToken,
  writeError: (status, body) => (status === 401 ? unauthenticated(body.error.message) : geminiErrorBody(status, body)),
  find(method, path) {
    if (method === "GET") return GARDEN.test(path) ? listModels : undefined;
    if (OPEN_API.test(path)) return chatCompletions;
    return own.get(/\w+$/.exec(path)?.[0] ?? "") ?? findGeminiEndpoint(method, path);
  },
};

function unauthenticated(message: string): object {
  return { error: { code: 401, message, status: "UNAUTHENTICATED" } };
}

const VERSIONS: ReadonlyMap<unknown, string> = new Map([
  ["vertex-2023-10-16", "2023-06-01"],
  ["2026-10-21", "2026-10-21"],
]);

/** The version stands in the body, and the model in the path. */
function askClaude(call: Call): Reply {
  const { path, headers } = call;
  const { anthropic_version: named, ...body } = call.body;
  const version = VERSIONS.get(named);
  const [, inPath = ""] = /\/models\/([^/:]+):/.exec(path) ?? [];
  const isCount = inPath === "count-tokens";
  if (version === undefined) throw new RequestRefused(400, openAiErrorBody("anthropic_version: Field required"));
  if (headers["anthropic-version"] !== undefined || (body["model"] !== undefined) !== isCount)
    throw new RequestRefused(400, openAiErrorBody("model: Extra inputs are not permitted"));
  if (!isCount && (body["stream"] === true) !== path.endsWith(":streamRawPredict"))
    throw new RequestRefused(400, openAiErrorBody("stream: does not fit the method"));
  const asked = { model: decodeURIComponent(inPath), ...body };
  const known = { ...call, body: asked, headers: { ...headers, "anthropic-version": version } };
  return isCount ? countTokens(known) : messages(known);
}

const DEFAULT_DIMENSIONS = 768;

/** POST :predict, for embeddings and Imagen's pictures. */
function predict(call: Call): Reply {
  const { body, settings, behaviour, path } = call;
  const instances = listField(body, "instances").filter(isJsonObject);
  if (instances.length === 0) throw new RequestRefused(400, openAiErrorBody("instances is required"));
  const parameters = isJsonObject(body["parameters"]) ? body["parameters"] : {};
  if (path.includes("/models/imagen-")) return imagine(call, instances, parameters);
  const length = countField(parameters, "outputDimensionality", 1) ?? DEFAULT_DIMENSIONS;
  const predictions = instances.map(({ content }) => {
    const text = String(content);
    const statistics = reportUsage({ token_count: countWords(text), truncated: false }, behaviour);
    return {
      embeddings: {
        values: Array.from(embeddingVector(text, length, settings.seed)),
        ...(statistics && { statistics }),
      },
    };
  });
  return { kind: "json", body: { predictions }, tokens: 0 };
}

const RATIOS = ["1:1", "3:4", "4:3", "9:16", "16:9"];

function imagine({ behaviour }: Call, instances: readonly JsonObject[], parameters: JsonObject): Reply {
  if (instances.some(({ prompt }) => typeof prompt !== "string"))
    throw new RequestRefused(400, openAiErrorBody("Image generation failed: prompt is required"));
  const { aspectRatio = "1:1" } = parameters;
  if (typeof aspectRatio !== "string" || !RATIOS.includes(aspectRatio))
    throw new RequestRefused(400, openAiErrorBody("aspectRatio is not supported"));
  const count = behaviour.pieces ?? countField(parameters, "sampleCount", 1) ?? 4;
  const predictions = Array.from({ length: count }, () => ({ mimeType: "image/png", bytesBase64Encoded: PIXEL }));
  return { kind: "json", body: { predictions }, tokens: 0 };
}

/** POST :embedContent, which has a form of its own here. */
function embedContent({ body, settings }: Call): Reply {
  const { content, embedContentConfig } = body;
  if (!isJsonObject(content)) throw new RequestRefused(400, openAiErrorBody("content is required"));
  const config = isJsonObject(embedContentConfig) ? embedContentConfig : {};
  const text = contentText(content["parts"]);
  const length = countField(config, "outputDimensionality", 1) ?? DEFAULT_DIMENSIONS;
  const values = Array.from(embeddingVector(text, length, settings.seed));
  const usageMetadata = { promptTokenCount: countWords(text), totalTokenCount: countWords(text) };
  return { kind: "json", body: { embedding: { values }, usageMetadata, truncated: false }, tokens: 0 };
}

const own = new Map<string, Endpoint>([
  ["predict", predict],
  ["embedContent", embedContent],
]);

/** GET /v1beta1/publishers/{publisher}/models, on two pages at Google. */
function listModels({ path }: Call): Reply {
  const [, publisher = ""] = GARDEN.exec(path) ?? [];
  const names = publisher === "google" ? ["gemini-3.5-flash", "imagen-4.0", "text-embedding-005"] : ["claude-opus-5"];
  const publisherModels: readonly JsonObject[] = names.map((name) => ({
    name: `publishers/${publisher}/models/${name}`,
  }));
  return { kind: "json", body: { publisherModels }, tokens: 0 };
}
