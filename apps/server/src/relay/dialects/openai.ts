import { openAiFormat } from "@one-api/providers/formats/openai/openai-format";
import { mostOfTier } from "@one-api/providers/formats/openai/service-tier";
import { openAiChat } from "@one-api/providers/formats/openai-chat/openai-chat";
import { OPENAI } from "@one-api/providers/formats/openai-chat/openai-chat-variant";
import { openAiResponses } from "@one-api/providers/formats/openai-responses/openai-responses";
import { findIndispensable } from "@one-api/providers/formats/openai-responses/read-request";
import { type JsonRecord, listOf, recordOf } from "@one-api/providers/shared/json-fields";
import { type AskShape, badField, readAsk, readBody, type RelayAsk } from "../body/read-ask.ts";
import type { CallableModel } from "../list-models.ts";
import type { RelayError } from "../relay-error.ts";
import type { AskPath, Dialect } from "./dialect.ts";
import { credentialReader } from "./read-credential.ts";

const wantsUsage = ({ stream_options: options }: JsonRecord): boolean => recordOf(options).include_usage === true;

/** What OpenAI's bodies have of their own. */
const SHAPES = {
  "chat-completions": {
    endpoint: "chat-completions",
    format: openAiChat(),
    required: ["messages"],
    isList: true,
    limits: ["max_completion_tokens", "max_tokens"],
    wantsUsage,
    mostPriceFactor: mostOfTier,
  },
  completions: {
    endpoint: "completions",
    format: openAiFormat("openai-completions", OPENAI),
    required: ["prompt"],
    hasManyPrompts: true,
    limits: ["max_tokens"],
    wantsUsage,
    mostPriceFactor: mostOfTier,
  },
  embeddings: {
    endpoint: "embeddings",
    format: openAiFormat("openai-embeddings", OPENAI),
    required: ["input"],
    limits: [],
    wantsUsage,
    mostPriceFactor: mostOfTier,
  },
  moderations: {
    endpoint: "moderations",
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
    // Streams of this API report usage always.
    wantsUsage: () => true,
    needsOwnFormat: (json) => findIndispensable(json).length > 0,
    optionsOf: refuseUncharged,
    mostPriceFactor: mostOfTier,
  },
} satisfies Record<string, AskShape>;

const RESPONSES: AskPath = { readAsk: (body) => readAsk(SHAPES.responses, body) };

/** What of the Responses API cannot be charged, since its usage is told elsewhere or not at all. Throws a 400 RelayError. */
function refuseUncharged(json: JsonRecord): JsonRecord {
  if ((json["background"] ?? false) !== false) {
    throw badField(
      "background",
      "background is not offered here. Send the request without it, as a stream if it takes long.",
    );
  }
  const tool = listOf(json["tools"]).findIndex((each) => recordOf(each)["type"] === "image_generation");
  if (tool !== -1) {
    throw badField(`tools.${tool}`, "The tool image_generation is not offered here. Send the request without it.");
  }
  return json;
}

const PATHS: ReadonlyMap<string, AskPath> = new Map<string, AskPath>([
  ["/v1/chat/completions", { readAsk: (body) => readAsk(SHAPES["chat-completions"], body) }],
  ["/v1/completions", { readAsk: (body) => readAsk(SHAPES.completions, body) }],
  ["/v1/responses", RESPONSES],
  ["/v1/embeddings", { readAsk: (body) => readAsk(SHAPES.embeddings, body) }],
]);

/** OpenAI's API as callers meet it: https://platform.openai.com/docs/api-reference */
export const openai: Dialect = {
  name: "openai",
  askAt: (path) => PATHS.get(path),
  countAt: (path) => (path === "/v1/responses/input_tokens" ? RESPONSES : undefined),
  isSpoken: () => true,
  requestIdHeader: "x-request-id",
  readCredential: credentialReader("authorization"),
  writeError,
  writeModel,
  writeModels: (models) => ({ object: "list", data: models.map(writeModel) }),
  writeCount: (promptTokens) => ({ object: "response.input_tokens", input_tokens: promptTokens }),
};

/** https://platform.openai.com/docs/api-reference/models */
function writeModel({ id, createdSeconds, owner }: CallableModel): JsonRecord {
  return { id, object: "model", created: createdSeconds, owned_by: owner };
}

/** A question of the gateway's own, asked as a caller of this dialect would ask it. */
export function ownAsk(endpoint: keyof typeof SHAPES, question: JsonRecord): RelayAsk {
  return readAsk(SHAPES[endpoint], readBody(Buffer.from(JSON.stringify(question))));
}

function writeError({ message, type, param, code }: RelayError, requestId: string): string {
  return JSON.stringify({ error: { message: `${message} (request id: ${requestId})`, type, param, code } });
}
