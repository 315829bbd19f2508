import { openAiImages } from "@one-api/providers/protocols/openai/images";
import { openAiFormat } from "@one-api/providers/protocols/openai/openai-format";
import { openAiRealtime } from "@one-api/providers/protocols/openai/realtime";
import { openAiRecordings } from "@one-api/providers/protocols/openai/recordings";
import { openAiSpeech } from "@one-api/providers/protocols/openai/speech";
import { mostOfTier } from "@one-api/providers/protocols/openai/service-tier";
import { openAiChat } from "@one-api/providers/protocols/openai-chat/openai-chat";
import { OPENAI } from "@one-api/providers/protocols/openai-chat/openai-chat-variant";
import { openAiCompletions } from "@one-api/providers/protocols/openai-chat/completions/openai-completions";
import { openAiResponses } from "@one-api/providers/protocols/openai-responses/openai-responses";
import { findIndispensable } from "@one-api/providers/protocols/openai-responses/read-request";
import { rerank } from "@one-api/providers/protocols/rerank/rerank";
import { type JsonRecord, listOf, recordOf } from "@one-api/providers/shared/json-fields";
import {
  badField,
  isForm,
  type ParsedRequest,
  parseRequest,
  readBody,
  readForm,
  type RequestShape,
} from "../body/index.ts";
import {
  measureRecording,
  readImageRequest,
  readRankingRequest,
  readRecordingRequest,
  readSpeechRequest,
} from "../media/index.ts";
import type { RelayError } from "../errors/index.ts";
import type { CallPath, Dialect } from "./dialect.ts";
import { writeOpenaiLimits } from "./limit-headers.ts";
import { credentialReader, decodePathSegment } from "./read-credential.ts";
import type { CallableModel } from "./callable-model.ts";

function wantsReasoning(json: JsonRecord): boolean | undefined {
  const { effort = json["reasoning_effort"] } = recordOf(json["reasoning"]);
  return typeof effort === "string" ? effort !== "none" : undefined;
}

const wantsUsage = ({ stream_options: options }: JsonRecord): boolean => recordOf(options).include_usage === true;

const PLAIN = { limits: [], wantsUsage: () => true, mostPriceFactor: mostOfTier } as const;

const SHAPES = {
  "chat-completions": {
    endpoint: "chat-completions",
    format: openAiChat(),
    required: ["messages"],
    isList: true,
    limits: ["max_completion_tokens", "max_tokens"],
    wantsUsage,
    wantsReasoning,
    mostPriceFactor: mostOfTier,
  },
  completions: {
    endpoint: "completions",
    format: openAiCompletions,
    required: ["prompt"],
    hasManyPrompts: true,
    limits: ["max_tokens"],
    wantsUsage,
    mostPriceFactor: mostOfTier,
  },
  embeddings: {
    endpoint: "embeddings",
    neverStreams: true,
    format: openAiFormat("openai-embeddings", OPENAI),
    required: ["input"],
    limits: [],
    wantsUsage,
    mostPriceFactor: mostOfTier,
  },
  moderations: {
    endpoint: "moderations",
    neverStreams: true,
    format: openAiFormat("openai-moderations", OPENAI),
    required: ["input"],
    limits: [],
    wantsUsage,
    mostPriceFactor: mostOfTier,
  },
  responses: {
    endpoint: "responses",
    format: openAiResponses,
    required: ["input", "prompt", "previous_response_id", "conversation"],
    limits: ["max_output_tokens"],
    wantsUsage: () => true,
    needsOwnFormat: (json) => findIndispensable(json).length > 0,
    optionsOf: refuseUncharged,
    mostPriceFactor: mostOfTier,
  },
  "image-generations": { endpoint: "image-generations", format: openAiImages, required: ["prompt"], ...PLAIN },
  "image-edits": { endpoint: "image-edits", format: openAiImages, required: [], ...PLAIN },
  "image-variations": { endpoint: "image-variations", format: openAiImages, required: [], ...PLAIN },
  speech: { endpoint: "speech", format: openAiSpeech, required: ["input"], ...PLAIN },
  transcriptions: { endpoint: "transcriptions", format: openAiRecordings, required: [], ...PLAIN },
  translations: { endpoint: "translations", format: openAiRecordings, required: [], ...PLAIN },
  realtime: { endpoint: "realtime", format: openAiRealtime, required: [], ...PLAIN },
} satisfies Record<string, RequestShape>;

const RESPONSES: CallPath = { parseRequest: (body) => parseRequest(SHAPES.responses, body) };

/** Default of the API. Source: https://platform.openai.com/docs/api-reference/moderations */
const USUAL_MODERATION_MODEL = "omni-moderation-latest";

const MODERATIONS: CallPath = {
  parseRequest(body) {
    const isNamed = (body.outline["model"] ?? null) !== null;
    return parseRequest(SHAPES.moderations, body, isNamed ? {} : { model: USUAL_MODERATION_MODEL });
  },
};

/** The first version of the API had the model of embeddings in the path. */
const ENGINE_EMBEDDINGS = /^\/v1\/engines\/([^/]+)\/embeddings$/;

function embeddingsOfEngine(path: string): CallPath | undefined {
  const engine = ENGINE_EMBEDDINGS.exec(path)?.[1];
  if (engine === undefined) return undefined;
  return { parseRequest: (body) => parseRequest(SHAPES.embeddings, body, { model: decodePathSegment(engine) }) };
}

/** Throws a 400 RelayError for features of the Responses API whose usage is not in the answer. */
function refuseUncharged(json: JsonRecord): JsonRecord {
  if ((json["background"] ?? false) !== false) {
    throw badField(
      "background",
      "background is not offered here. Send the request without it, as a stream if it takes long.",
    );
  }
  const added = listOf(json["input"]).flatMap((item) => listOf(recordOf(item)["tools"]));
  if (added.some(hasContainer))
    throw badField("input", "Name tools with a container in the field tools: no answer tells their size else.");
  return json;
}

function hasContainer(tool: unknown): boolean {
  const { type, environment } = recordOf(tool);
  return type === "code_interpreter" || recordOf(environment)["type"] === "container_auto";
}

function picturePath(shape: RequestShape): CallPath {
  return {
    readBody: (bytes, { "content-type": type }) => (isForm(type) ? readForm(bytes, type ?? "") : undefined),
    parseRequest: (body) => readImageRequest(shape, body),
  };
}

function recordingPath(shape: RequestShape): CallPath {
  return {
    readBody: (bytes, headers) => readForm(bytes, headers["content-type"] ?? ""),
    parseRequest: (body) => readRecordingRequest(shape, body),
    measure: measureRecording,
  };
}

const PATHS: ReadonlyMap<string, CallPath> = new Map<string, CallPath>([
  ["/v1/chat/completions", { parseRequest: (body) => parseRequest(SHAPES["chat-completions"], body) }],
  ["/v1/completions", { parseRequest: (body) => parseRequest(SHAPES.completions, body) }],
  ["/v1/responses", RESPONSES],
  ["/v1/embeddings", { parseRequest: (body) => parseRequest(SHAPES.embeddings, body) }],
  ["/v1/images/generations", { parseRequest: (body) => readImageRequest(SHAPES["image-generations"], body) }],
  ["/v1/images/edits", picturePath(SHAPES["image-edits"])],
  ["/v1/images/variations", picturePath(SHAPES["image-variations"])],
  ["/v1/audio/speech", { parseRequest: (body) => readSpeechRequest(SHAPES.speech, body) }],
  ["/v1/audio/transcriptions", recordingPath(SHAPES.transcriptions)],
  ["/v1/audio/translations", recordingPath(SHAPES.translations)],
  ["/v1/moderations", MODERATIONS],
  ["/v1/rerank", { parseRequest: (body) => readRankingRequest(rerank, body) }],
]);

/** Batches accept independent text answers only. */
export const BATCH_SHAPES: ReadonlyMap<string, RequestShape> = new Map<string, RequestShape>([
  ["/v1/responses", SHAPES.responses],
  ["/v1/chat/completions", SHAPES["chat-completions"]],
  ["/v1/embeddings", SHAPES.embeddings],
  ["/v1/completions", SHAPES.completions],
  ["/v1/moderations", SHAPES.moderations],
]);

/** https://platform.openai.com/docs/api-reference */
export const openai: Dialect = {
  name: "openai",
  callAt: (path) => PATHS.get(path) ?? embeddingsOfEngine(path),
  countAt: (path) => (path === "/v1/responses/input_tokens" ? RESPONSES : undefined),
  isSpoken: () => true,
  requestIdHeader: "x-request-id",
  writeLimits: writeOpenaiLimits,
  readCredential: credentialReader("authorization"),
  statusOf: ({ status }) => status,
  writeError,
  writeModel,
  writeModels: (models) => ({ object: "list", data: models.map(writeModel) }),
  writeCount: (promptTokens) => ({ object: "response.input_tokens", input_tokens: promptTokens }),
};

/** OpenAI's model permissions until 2023, which One API still returns for older clients. */
const LEGACY_PERMISSION = {
  id: "modelperm-LwHkVFn8AcMItP432fKKDIKJ",
  object: "model_permission",
  created: 1_626_777_600,
  allow_create_engine: true,
  allow_sampling: true,
  allow_logprobs: true,
  allow_search_indices: false,
  allow_view: true,
  allow_fine_tuning: false,
  organization: "*",
  group: null,
  is_blocking: false,
} as const;

/** https://platform.openai.com/docs/api-reference/models, with former fields. */
function writeModel({ id, createdSeconds, owner }: CallableModel): JsonRecord {
  const legacy = { permission: [LEGACY_PERMISSION], root: id, parent: null };
  return { id, object: "model", created: createdSeconds, owned_by: owner, ...legacy };
}

export function ownRequest(endpoint: keyof typeof SHAPES, json: JsonRecord): ParsedRequest {
  return parseRequest(SHAPES[endpoint], readBody(Buffer.from(JSON.stringify(json))));
}

function writeError({ message, type, param, code, values }: RelayError, requestId: string): string {
  return JSON.stringify({ error: { message: `${message} (request id: ${requestId})`, type, param, code, values } });
}
