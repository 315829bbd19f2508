import { type Call, json, type Reply } from "../../../stub-kit/call.ts";
import { vectorsOf } from "../../../stub-kit/embedding-vector.ts";
import { countField, isJsonObject, type JsonObject, objectsField } from "../../../stub-kit/json-fields.ts";
import { contentText } from "../../../stub-kit/prompt.ts";
import { refuse } from "../../../stub-kit/refusal.ts";
import { type Routes, routesBelow } from "../../../stub-kit/routes.ts";
import type { StubApi } from "../../../stub-kit/stub.ts";
import { geminiErrorBody, geminiKey } from "./gemini-api.ts";
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
  routes: routesBelow("/v1(?:beta|alpha)?", {
    ...geminiModelRoutes,
    "GET /models": listModels,
    "DELETE /files/{name}": () => json({}),
  }),
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
  return json({ models });
}

const mostDimensions = 3_072;

function vectorOf(call: Call, request: JsonObject): { readonly values: readonly number[] | undefined } {
  const { content } = request;
  if (!isJsonObject(content)) refuse("content is required");
  const dimensions = countField(request, "outputDimensionality", 1) ?? mostDimensions;
  const [values] = vectorsOf(call, [contentText(content["parts"])], dimensions);
  return { values };
}

function embedContent(call: Call): Reply {
  return json({ embedding: vectorOf(call, call.body) });
}

function batchEmbedContents(call: Call): Reply {
  const requests = objectsField(call.body, "requests");
  const model = `models/${call.params["model"]}`;
  if (requests.length === 0 || requests.some((request) => request["model"] !== model))
    refuse("* BatchEmbedContentsRequest.requests: model must match");
  return json({ embeddings: requests.map((request) => vectorOf(call, request)) });
}

/** The first request starts an upload and returns the URL for the bytes. Source: https://ai.google.dev/api/files */
function uploadFile({ id, base, headers }: Call): Reply {
  if (headers["x-goog-upload-command"] === "start") {
    const url = `${base}/upload/v1beta/files?upload_id=${id}`;
    return { ...json({}), headers: { "x-goog-upload-url": url, "x-goog-upload-status": "active" } };
  }
  const name = `files/fake-${id}`;
  const file = { name, uri: `${base}/v1beta/${name}`, mimeType: headers["content-type"], state: "ACTIVE" };
  return { ...json({ file }), headers: { "x-goog-upload-status": "final" } };
}
