import { anthropicErrorBody } from "../../../protocols/anthropic-messages/stub/anthropic-api.ts";
import { countTokens, messages } from "../../../protocols/anthropic-messages/stub/messages.ts";
import { geminiErrorBody } from "../../../protocols/gemini/stub/gemini-api.ts";
import { liveSessions } from "../../../protocols/gemini/stub/live.ts";
import { geminiModelRoutes } from "../../../protocols/gemini/stub/stub.ts";
import { chatCompletions } from "../../../protocols/openai/stub/completions.ts";
import { type Call, json, type Reply } from "../../../stub-kit/call.ts";
import { vectorsOf } from "../../../stub-kit/embedding-vector.ts";
import { countField, isJsonObject, type JsonObject, objectField, objectsField } from "../../../stub-kit/json-fields.ts";
import { PIXEL } from "../../../stub-kit/pictures/picture-store.ts";
import { contentText, countWords } from "../../../stub-kit/prompt.ts";
import { refuse } from "../../../stub-kit/refusal.ts";
import { usageField } from "../../../stub-kit/report-usage.ts";
import { routesBelow } from "../../../stub-kit/routes.ts";
import type { Stub } from "../../../stub-kit/stub.ts";
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
        status === 401
          ? { error: { code: 401, message: body.error.message, status: "UNAUTHENTICATED" } }
          : geminiErrorBody(status, body),
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

const VERSIONS: ReadonlyMap<unknown, string> = new Map([
  ["vertex-2023-10-16", "2023-06-01"],
  ["2026-10-21", "2026-10-21"],
]);

function askClaude(call: Call): Reply {
  const { path, params, headers } = call;
  const { anthropic_version: named, ...body } = call.body;
  const version = VERSIONS.get(named);
  const { model = "" } = params;
  const isCount = model === "count-tokens";
  if (version === undefined) refuse("anthropic_version: Field required");
  if (headers["anthropic-version"] !== undefined || (body["model"] !== undefined) !== isCount)
    refuse("model: Extra inputs are not permitted");
  if (!isCount && (body["stream"] === true) !== path.endsWith(":streamRawPredict"))
    refuse("stream: does not fit the method");
  const asked = { ...call, body: { model, ...body }, headers: { ...headers, "anthropic-version": version } };
  return isCount ? countTokens(asked) : messages(asked);
}

const DEFAULT_DIMENSIONS = 768;

function predict(call: Call): Reply {
  const { body, behaviour, params } = call;
  const instances = objectsField(body, "instances");
  if (instances.length === 0) refuse("instances is required");
  const parameters = objectField(body, "parameters");
  if (params["model"]?.startsWith("imagen-") === true) return imagine(call, instances, parameters);
  const texts = instances.map(({ content }) => String(content));
  const vectors = vectorsOf(call, texts, countField(parameters, "outputDimensionality", 1) ?? DEFAULT_DIMENSIONS);
  const predictions = vectors.map((values, index) => {
    const counted = { token_count: countWords(texts[index] ?? ""), truncated: false };
    return { embeddings: { values, ...usageField(counted, behaviour, "statistics") } };
  });
  return json({ predictions });
}

const RATIOS = ["1:1", "3:4", "4:3", "9:16", "16:9"];

function imagine({ behaviour }: Call, instances: readonly JsonObject[], parameters: JsonObject): Reply {
  if (instances.some(({ prompt }) => typeof prompt !== "string")) refuse("Image generation failed: prompt is required");
  const { aspectRatio = "1:1" } = parameters;
  if (typeof aspectRatio !== "string" || !RATIOS.includes(aspectRatio)) refuse("aspectRatio is not supported");
  const count = behaviour.pieces ?? countField(parameters, "sampleCount", 1) ?? 4;
  const picture = { mimeType: "image/png", bytesBase64Encoded: PIXEL };
  return json({ predictions: Array.from({ length: count }, () => picture) });
}

/** Differs from Gemini's method of that name. */
function embedContent(call: Call): Reply {
  const { content } = call.body;
  if (!isJsonObject(content)) refuse("content is required");
  const text = contentText(content["parts"]);
  const length = countField(objectField(call.body, "embedContentConfig"), "outputDimensionality", 1);
  const [values] = vectorsOf(call, [text], length ?? DEFAULT_DIMENSIONS);
  const usageMetadata = { promptTokenCount: countWords(text), totalTokenCount: countWords(text) };
  return json({ embedding: { values }, usageMetadata, truncated: false });
}

function listModels({ params: { publisher = "" } }: Call): Reply {
  const names = publisher === "google" ? ["gemini-3.5-flash", "imagen-4.0", "text-embedding-005"] : ["claude-opus-5"];
  return json({ publisherModels: names.map((name) => ({ name: `publishers/${publisher}/models/${name}` })) });
}
