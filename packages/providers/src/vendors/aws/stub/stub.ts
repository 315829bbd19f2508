import { reportUsage } from "../../../stub-kit/report-usage.ts";
import { embeddingVector } from "../../../stub-kit/embedding-vector.ts";
import { bearerKey, openAiErrorBody, type OpenAiErrorBody, RequestRefused } from "../../../stub-kit/refusal.ts";
import type { Call, Reply } from "../../../stub-kit/call.ts";
import { countField, type JsonObject, listField } from "../../../stub-kit/json-fields.ts";
import { PIXEL } from "../../../stub-kit/picture-store.ts";
import { countInputTokens, inputTexts } from "../../../stub-kit/prompt.ts";
import type { Stub } from "../../../stub-kit/stub.ts";
import { checkSignature } from "./check-signature.ts";
import { converse } from "./converse.ts";

/** Amazon Bedrock, with its list of models. Source: https://docs.aws.amazon.com/bedrock/latest/APIReference/welcome.html */
export const awsStub: Stub = {
  apis: [
    {
      routes: {
        "POST /model/{model}/converse": converse,
        "POST /model/{model}/converse-stream": converse,
        "POST /model/{model}/invoke": invoke,
        "GET /foundation-models": listModels,
        "GET /inference-profiles": listProfiles,
      },
      readKey: ({ authorization }, record) => bearerKey(authorization) ?? checkSignature(record),
      writeError: (_status, { error }) => ({ message: error.message }),
      errorHeaders: (status, body) => ({
        "x-amzn-errortype": `${exceptionOf(status, body)}:http://internal.amazon.com/`,
      }),
    },
  ],
};

const EXCEPTIONS: Readonly<Record<number, string>> = {
  400: "ValidationException",
  401: "UnrecognizedClientException",
  403: "AccessDeniedException",
  404: "ResourceNotFoundException",
  429: "ThrottlingException",
  503: "ServiceUnavailableException",
};

function exceptionOf(status: number, { error }: OpenAiErrorBody): string {
  return error.code?.endsWith("Exception") === true ? error.code : (EXCEPTIONS[status] ?? "InternalServerException");
}

const DEFAULT_DIMENSIONS = 1_024;

/** POST /model/{model}/invoke, for embeddings of Titan and Cohere and pictures of Stability AI. */
function invoke(call: Call): Reply {
  const { id, body, path, behaviour, settings } = call;
  if (path.includes("stability")) return makePicture(call);
  const vector = (text: string, length: number) => Array.from(embeddingVector(text, length, settings.seed));
  if (!path.includes("cohere")) {
    const { inputText } = body;
    if (typeof inputText !== "string")
      throw new RequestRefused(400, openAiErrorBody("Malformed input request: required key [inputText] not found"));
    const embedding = vector(inputText, countField(body, "dimensions", 1) ?? DEFAULT_DIMENSIONS);
    const counted = reportUsage({ inputTextTokenCount: countInputTokens(inputText) }, behaviour);
    return { kind: "json", body: { embedding, ...counted }, tokens: 0 };
  }
  const texts = inputTexts(listField(body, "texts"));
  if (texts.length === 0 || body["input_type"] === undefined || body["model"] !== undefined)
    throw new RequestRefused(
      400,
      openAiErrorBody("Malformed input request, please reformat your input and try again."),
    );
  const length = countField(body, "output_dimension", 1) ?? DEFAULT_DIMENSIONS;
  const float = texts.map((text) => vector(text, length));
  return { kind: "json", body: { id, response_type: "embeddings_by_type", embeddings: { float }, texts }, tokens: 0 };
}

const PICTURE_FIELDS = new Set(["prompt", "aspect_ratio", "mode", "output_format", "seed", "negative_prompt"]);

/** Source: https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-diffusion-stable-ultra-text-image-request-response.html */
function makePicture({ body }: Call): Reply {
  const { prompt } = body;
  const isMalformed = typeof prompt !== "string" || Object.keys(body).some((name) => !PICTURE_FIELDS.has(name));
  if (isMalformed) throw new RequestRefused(400, openAiErrorBody("Malformed input request"));
  const answer = prompt.includes("[[filtered]]")
    ? { finish_reasons: ["Filter reason: prompt"] }
    : { seeds: [2_130_420_379], finish_reasons: [null], images: [PIXEL] };
  return { kind: "json", body: answer, tokens: 0 };
}

/** GET /foundation-models: models for direct calls, one for a profile only, one that draws, and one with supported pictures. */
function listModels({ settings }: Call): Reply {
  const model = (modelId: string, modality: string, kind: string): JsonObject => ({
    modelId,
    outputModalities: [modality],
    inferenceTypesSupported: [kind],
    modelLifecycle: { status: "ACTIVE" },
  });
  const modelSummaries = [
    ...settings.models.map((name) => model(name, name.includes("embed") ? "EMBEDDING" : "TEXT", "ON_DEMAND")),
    model("anthropic.claude-opus-5-5", "TEXT", "INFERENCE_PROFILE"),
    model("amazon.nova-canvas-v1:0", "IMAGE", "ON_DEMAND"),
    model("stability.stable-image-core-v1:1", "IMAGE", "ON_DEMAND"),
  ];
  return { kind: "json", body: { modelSummaries }, tokens: 0 };
}

function listProfiles(): Reply {
  const profile = (inferenceProfileId: string) => ({ inferenceProfileId, status: "ACTIVE", type: "SYSTEM_DEFINED" });
  const inferenceProfileSummaries = ["global.anthropic.claude-opus-5-5", "us.stability.stable-image-v1:0"].map(profile);
  return { kind: "json", body: { inferenceProfileSummaries }, tokens: 0 };
}
