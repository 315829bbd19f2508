import { reportUsage } from "../../../stub-kit/report-usage.ts";
import { embeddingVector } from "../../../stub-kit/embedding-vector.ts";
import { countField, isJsonObject, type JsonObject, listField } from "../../../stub-kit/json-fields.ts";
import { openAiErrorBody, RequestRefused } from "../../../stub-kit/refusal.ts";
import type { Call, Reply } from "../../../stub-kit/call.ts";
import { anthropicErrorBody } from "../../../protocols/anthropic-messages/stub/anthropic-api.ts";
import { chatCompletions } from "../../../protocols/openai/stub/completions.ts";
import { geminiErrorBody } from "../../../protocols/gemini/stub/gemini-api.ts";
import { geminiModelRoutes } from "../../../protocols/gemini/stub/stub.ts";
import { countTokens, messages } from "../../../protocols/anthropic-messages/stub/messages.ts";
import { contentText, countWords } from "../../../stub-kit/prompt.ts";
import { PIXEL } from "../../../stub-kit/picture-store.ts";
import { routesBelow } from "../../../stub-kit/routes.ts";
import type { Stub } from "../../../stub-kit/stub.ts";
import { liveSessions } from "../../../protocols/gemini/stub/live.ts";
import { googleTokenApi, readToken } from "./google-token.ts";

/**
 * Gemini, Claude, other makers' models, their lists and the token exchange. Source:
 * https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest
 */
export const vertexStub: Stub = {
  apis: [
    {
      routes: routesBelow("/v1(?:beta1)?/projects/{project}/locations/{region}", {
        "POST /endpoints/openapi/chat/completions": chatCompletions,
        ...routesBelow("/publishers/google", geminiModelRoutes),
        "POST /publishers/google/models/{model}:predict": predict,
        "POST /publishers/google/models/{model}:embedContent": embedContent,
      }),
      readKey: readToken,
      writeError: (status, body) =>
        status === 401 ? unauthenticated(body.error.message) : geminiErrorBody(status, body),
    },
    {
      routes: {
        "POST /v1(?:beta1)?/projects/{project}/locations/{region}/publishers/anthropic/models/{model}:(?:r|streamR)awPredict":
          askClaude,
      },
      readKey: readToken,
      writeError: anthropicErrorBody,
    },
    {
      routes: { "GET /v1beta1/publishers/{publisher}/models": listModels },
      readKey: readToken,
      writeError: geminiErrorBody,
    },
    googleTokenApi,
  ],
  sessions: liveSessions({
    path: /^\/{1,2}ws\/google\.cloud\.aiplatform\.v1(?:beta1)?\.LlmBidiService\/BidiGenerateContent$/,
    readKey: ({ headers }) => readToken(headers),
    model: /^projects\/[\w-]+\/locations\/[\w-]+\/publishers\/google\/models\/./,
  }),
};

function unauthenticated(message: string): object {
  return { error: { code: 401, message, status: "UNAUTHENTICATED" } };
}

const VERSIONS: ReadonlyMap<unknown, string> = new Map([
  ["vertex-2023-10-16", "2023-06-01"],
  ["2026-10-21", "2026-10-21"],
]);

/** The version is in the body, the model in the path. */
function askClaude(call: Call): Reply {
  const { path, params, headers } = call;
  const { anthropic_version: named, ...body } = call.body;
  const version = VERSIONS.get(named);
  const { model: inPath = "" } = params;
  const isCount = inPath === "count-tokens";
  if (version === undefined) throw new RequestRefused(400, openAiErrorBody("anthropic_version: Field required"));
  if (headers["anthropic-version"] !== undefined || (body["model"] !== undefined) !== isCount)
    throw new RequestRefused(400, openAiErrorBody("model: Extra inputs are not permitted"));
  if (!isCount && (body["stream"] === true) !== path.endsWith(":streamRawPredict"))
    throw new RequestRefused(400, openAiErrorBody("stream: does not fit the method"));
  const asked = { model: inPath, ...body };
  const known = { ...call, body: asked, headers: { ...headers, "anthropic-version": version } };
  return isCount ? countTokens(known) : messages(known);
}

const DEFAULT_DIMENSIONS = 768;

function predict(call: Call): Reply {
  const { body, settings, behaviour, params } = call;
  const instances = listField(body, "instances").filter(isJsonObject);
  if (instances.length === 0) throw new RequestRefused(400, openAiErrorBody("instances is required"));
  const parameters = isJsonObject(body["parameters"]) ? body["parameters"] : {};
  if (params["model"]?.startsWith("imagen-") === true) return imagine(call, instances, parameters);
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

/** POST :embedContent, whose format differs from Gemini's. */
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

/** GET /v1beta1/publishers/{publisher}/models; Google's list has two pages. */
function listModels({ params: { publisher = "" } }: Call): Reply {
  const names = publisher === "google" ? ["gemini-3.5-flash", "imagen-4.0", "text-embedding-005"] : ["claude-opus-5"];
  const publisherModels: readonly JsonObject[] = names.map((name) => ({
    name: `publishers/${publisher}/models/${name}`,
  }));
  return { kind: "json", body: { publisherModels }, tokens: 0 };
}
