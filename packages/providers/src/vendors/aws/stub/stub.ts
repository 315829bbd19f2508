import { type Call, json, type Reply } from "../../../stub-kit/call.ts";
import { vectorsOf } from "../../../stub-kit/embedding-vector.ts";
import { countField, listField } from "../../../stub-kit/json-fields.ts";
import { PIXEL } from "../../../stub-kit/pictures/picture-store.ts";
import { countInputTokens, inputTexts } from "../../../stub-kit/prompt.ts";
import { bearerKey, type OpenAiErrorBody, refuse } from "../../../stub-kit/refusal.ts";
import { reportUsage } from "../../../stub-kit/report-usage.ts";
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

/** Embeddings of Titan and Cohere, and pictures of Stability AI. */
function invoke(call: Call): Reply {
  const { path } = call;
  return path.includes("stability") ? makePicture(call) : path.includes("cohere") ? embedTexts(call) : embedText(call);
}

function embedText(call: Call): Reply {
  const { body, behaviour } = call;
  const { inputText } = body;
  if (typeof inputText !== "string") refuse("Malformed input request: required key [inputText] not found");
  const [embedding] = vectorsOf(call, [inputText], countField(body, "dimensions", 1) ?? DEFAULT_DIMENSIONS);
  return json({ embedding, ...reportUsage({ inputTextTokenCount: countInputTokens(inputText) }, behaviour) });
}

function embedTexts(call: Call): Reply {
  const { id, body } = call;
  const texts = inputTexts(listField(body, "texts"));
  if (texts.length === 0 || body["input_type"] === undefined || body["model"] !== undefined)
    refuse("Malformed input request, please reformat your input and try again.");
  const float = vectorsOf(call, texts, countField(body, "output_dimension", 1) ?? DEFAULT_DIMENSIONS);
  return json({ id, response_type: "embeddings_by_type", embeddings: { float }, texts });
}

const PICTURE_FIELDS = new Set(["prompt", "aspect_ratio", "mode", "output_format", "seed", "negative_prompt"]);

function makePicture({ body }: Call): Reply {
  const { prompt } = body;
  if (typeof prompt !== "string" || Object.keys(body).some((name) => !PICTURE_FIELDS.has(name)))
    refuse("Malformed input request");
  const isFiltered = prompt.includes("[[filtered]]");
  return json(
    isFiltered
      ? { finish_reasons: ["Filter reason: prompt"] }
      : { seeds: [2_130_420_379], finish_reasons: [null], images: [PIXEL] },
  );
}

/** Models for direct calls, one for a profile only, one that draws, and one with supported pictures. */
function listModels({ settings }: Call): Reply {
  const model = (modelId: string, modality: string, kind: string) => ({
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
  return json({ modelSummaries });
}

function listProfiles(): Reply {
  const profile = (inferenceProfileId: string) => ({ inferenceProfileId, status: "ACTIVE", type: "SYSTEM_DEFINED" });
  return json({
    inferenceProfileSummaries: ["global.anthropic.claude-opus-5-5", "us.stability.stable-image-v1:0"].map(profile),
  });
}
