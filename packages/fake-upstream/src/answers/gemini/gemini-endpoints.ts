import { countField, isJsonObject, type JsonObject, listField } from "../../json-fields.ts";
import { openAiErrorBody, RequestRefused } from "../../refusal.ts";
import type { Call, Endpoint, Reply } from "../../reply.ts";
import { embeddingVector } from "../openai/embeddings.ts";
import { contentText } from "../prompt.ts";
import { countContentTokens, generateContent } from "./generate-content.ts";

const methods = new Map<string, Endpoint>([
  ["generateContent", generateContent],
  ["streamGenerateContent", generateContent],
  ["countTokens", countContentTokens],
  ["embedContent", embedContent],
  ["batchEmbedContents", batchEmbedContents],
]);

/** The endpoint of Gemini's API at a path, or undefined. */
export function findGeminiEndpoint(method: string, path: string): Endpoint | undefined {
  if (path.startsWith("/upload/")) return uploadFile;
  if (method === "DELETE") return () => ({ kind: "json", body: {}, tokens: 0 });
  if (method === "GET") return path.endsWith("/models") ? listModels : undefined;
  return methods.get(/\/models\/[^/]+:(\w+)$/.exec(path)?.[1] ?? "");
}

/** GET /v1beta/models. */
function listModels({ settings }: Call): Reply {
  const models = settings.models.map((id) => ({
    name: `models/${id}`,
    version: "001",
    displayName: id,
    supportedGenerationMethods: id.includes("embedding") ? ["embedContent"] : ["generateContent", "countTokens"],
  }));
  return { kind: "json", body: { models }, tokens: 0 };
}

const mostDimensions = 3_072;

function vectorOf({ settings }: Call, request: JsonObject): { readonly values: readonly number[] } {
  const { content } = request;
  if (!isJsonObject(content)) throw new RequestRefused(400, openAiErrorBody("content is required"));
  const dimensions = countField(request, "outputDimensionality", 1) ?? mostDimensions;
  return { values: Array.from(embeddingVector(contentText(content["parts"]), dimensions, settings.seed)) };
}

/** POST /v1beta/models/{model}:embedContent. */
function embedContent(call: Call): Reply {
  return { kind: "json", body: { embedding: vectorOf(call, call.body) }, tokens: 0 };
}

/** POST /v1beta/models/{model}:batchEmbedContents; every request names the model of the path. */
function batchEmbedContents(call: Call): Reply {
  const requests = listField(call.body, "requests").filter(isJsonObject);
  const model = /\/(models\/[^/:]+):/.exec(call.path)?.[1];
  if (requests.length === 0 || requests.some((request) => request["model"] !== model)) {
    throw new RequestRefused(400, openAiErrorBody("* BatchEmbedContentsRequest.requests: model must match"));
  }
  return { kind: "json", body: { embeddings: requests.map((request) => vectorOf(call, request)) }, tokens: 0 };
}

/** POST /upload/v1beta/files: the first request begins an upload and is told where its bytes go. Source: https://ai.google.dev/api/files */
function uploadFile({ id, headers }: Call): Reply {
  const origin = `http://${headers.host}`;
  if (headers["x-goog-upload-command"] === "start") {
    const url = `${origin}/upload/v1beta/files?upload_id=${id}`;
    return {
      kind: "json",
      body: {},
      tokens: 0,
      headers: { "x-goog-upload-url": url, "x-goog-upload-status": "active" },
    };
  }
  const name = `files/fake-${id}`;
  const mimeType = headers["content-type"];
  const file = { name, uri: `${origin}/v1beta/${name}`, mimeType, state: "ACTIVE" };
  return { kind: "json", body: { file }, tokens: 0, headers: { "x-goog-upload-status": "final" } };
}
