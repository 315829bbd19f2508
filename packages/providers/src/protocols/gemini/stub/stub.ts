import { type Routes, routesBelow } from "../../../stub-kit/routes.ts";
import type { StubApi } from "../../../stub-kit/stub.ts";
import { geminiErrorBody, geminiKey } from "./gemini-api.ts";
import { embeddingVector } from "../../../stub-kit/embedding-vector.ts";
import { countField, isJsonObject, type JsonObject, listField } from "../../../stub-kit/json-fields.ts";
import { openAiErrorBody, RequestRefused } from "../../../stub-kit/refusal.ts";
import { type Call, json, type Reply } from "../../../stub-kit/call.ts";
import { contentText } from "../../../stub-kit/prompt.ts";
import { countContentTokens, generateContent } from "./generate-content.ts";

const MODEL = "POST /models/{model}";

export const geminiModelRoutes: Routes = {
  [`${MODEL}:generateContent`]: generateContent,
  [`${MODEL}:streamGenerateContent`]: generateContent,
  [`${MODEL}:countTokens`]: countContentTokens,
  [`${MODEL}:embedContent`]: embedContent,
  [`${MODEL}:batchEmbedContents`]: batchEmbedContents,
};

/** Source: https://ai.google.dev/api/files */
export const geminiUploads: StubApi = {
  takesBytes: true,
  routes: { "POST /upload/v1(?:beta|alpha)?/files": uploadFile },
  readKey: geminiKey,
  writeError: geminiErrorBody,
};

/** Every version of the API, with files. Source: https://ai.google.dev/api */
export const geminiApi: StubApi = {
  routes: {
    ...routesBelow("/v1(?:beta|alpha)?", {
      ...geminiModelRoutes,
      "GET /models": listModels,
      "DELETE /files/{name}": () => json({}),
    }),
  },
  readKey: geminiKey,
  writeError: geminiErrorBody,
};

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

function embedContent(call: Call): Reply {
  return { kind: "json", body: { embedding: vectorOf(call, call.body) }, tokens: 0 };
}

/** Every request of the batch must name the path's model. */
function batchEmbedContents(call: Call): Reply {
  const requests = listField(call.body, "requests").filter(isJsonObject);
  const model = `models/${call.params["model"]}`;
  if (requests.length === 0 || requests.some((request) => request["model"] !== model)) {
    throw new RequestRefused(400, openAiErrorBody("* BatchEmbedContentsRequest.requests: model must match"));
  }
  return { kind: "json", body: { embeddings: requests.map((request) => vectorOf(call, request)) }, tokens: 0 };
}

/** The first request starts an upload and returns the URL for the bytes. Source: https://ai.google.dev/api/files */
function uploadFile({ id, base, headers }: Call): Reply {
  if (headers["x-goog-upload-command"] === "start") {
    const url = `${base}/upload/v1beta/files?upload_id=${id}`;
    return {
      kind: "json",
      body: {},
      tokens: 0,
      headers: { "x-goog-upload-url": url, "x-goog-upload-status": "active" },
    };
  }
  const name = `files/fake-${id}`;
  const mimeType = headers["content-type"];
  const file = { name, uri: `${base}/v1beta/${name}`, mimeType, state: "ACTIVE" };
  return { kind: "json", body: { file }, tokens: 0, headers: { "x-goog-upload-status": "final" } };
}
