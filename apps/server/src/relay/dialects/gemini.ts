import { geminiEmbeddings } from "@one-api/providers/protocols/gemini/embeddings";
import { fieldOf, protoNumber, recordField, snakeCase } from "@one-api/providers/protocols/gemini/fields";
import { geminiContent } from "@one-api/providers/protocols/gemini/gemini";
import { geminiLive } from "@one-api/providers/protocols/gemini/live";
import { findIndispensable } from "@one-api/providers/protocols/gemini/read-request";
import {
  contextTokens,
  maxOutputTokens,
  UNKNOWN_MAX_OUTPUT_TOKENS,
} from "@one-api/providers/model-facts/max-output-tokens";
import { type JsonRecord, listOf } from "@one-api/providers/shared/json-fields";
import {
  badField,
  MAX_ANSWERS,
  MAX_TOKENS,
  type ParsedRequest,
  parseRequest,
  readBody,
  readCount,
  type RequestShape,
} from "../body/index.ts";
import type { RelayError } from "../errors/index.ts";
import type { CallPath, Dialect } from "./dialect.ts";
import { writeOpenaiLimits } from "./limit-headers.ts";
import { credentialReader, headerOf } from "./read-credential.ts";
import type { CallableModel } from "./callable-model.ts";

const NOTHING_DEARER = () => 1;

function wantsReasoning(json: JsonRecord): boolean | undefined {
  const config = recordField(recordField(json, "generationConfig"), "thinkingConfig");
  const budget = readNumber(config, "thinkingBudget");
  if (budget === 0) return false;
  return budget === undefined && fieldOf(config, "thinkingLevel") === undefined ? undefined : true;
}

const CONTENT: RequestShape = {
  endpoint: "chat-completions",
  format: geminiContent,
  required: ["contents"],
  limits: ["max_output_tokens"],
  optionsOf: readOptions,
  wantsUsage: () => true,
  wantsReasoning,
  needsOwnFormat: (json) => findIndispensable(json).length > 0,
  mostPriceFactor: NOTHING_DEARER,
};
const COUNT: RequestShape = {
  ...CONTENT,
  required: ["contents", "generateContentRequest", "generate_content_request"],
};
const EMBEDDINGS: RequestShape = {
  endpoint: "embeddings",
  format: geminiEmbeddings,
  required: ["requests", "content"],
  limits: [],
  wantsUsage: () => true,
  mostPriceFactor: NOTHING_DEARER,
};

const LIVE: RequestShape = {
  endpoint: "live",
  format: geminiLive,
  required: [],
  limits: [],
  wantsUsage: () => true,
  mostPriceFactor: NOTHING_DEARER,
};

const MODEL_METHOD = /^\/v1(?:beta|alpha)?\/models\/(.{1,400}):([A-Za-z]+)$/;
const GOOGLE_PREFIX = /^\/v1(?:beta|alpha)\//;

/** https://ai.google.dev/api */
export const gemini: Dialect = {
  name: "gemini",
  callAt,
  countAt: (path) => {
    const { model, method } = readMethod(path);
    return method === "countTokens"
      ? { parseRequest: (body) => parseRequest(COUNT, body, { model, stream: false }) }
      : undefined;
  },
  isSpoken: (headers, path) => GOOGLE_PREFIX.test(path) || headerOf(headers, "x-goog-api-key") !== "",
  requestIdHeader: "x-request-id",
  writeLimits: writeOpenaiLimits,
  readCredential: credentialReader("x-goog-api-key"),
  statusOf: ({ status }) => status,
  writeError,
  writeModel,
  writeModels: (models) => ({ models: models.map(writeModel) }),
  writeCount: (totalTokens) => ({ totalTokens }),
};

/** Throws a 400 RelayError without a model. */
export function liveRequest(model: string): ParsedRequest {
  if (model === "") throw badField("setup.model", 'Name the model to speak with: {"setup": {"model": "models/…"}}.');
  return parseRequest(LIVE, readBody(Buffer.from("{}")), { model, stream: true });
}

export const liveFormat = geminiLive;

function readMethod(path: string): { readonly model: string; readonly method: string } {
  const [, name = "", method = ""] = path.includes(":") ? (MODEL_METHOD.exec(path) ?? []) : [];
  try {
    return { model: decodeURIComponent(name), method };
  } catch {
    return { model: name, method };
  }
}

function callAt(path: string, query: string): CallPath | undefined {
  const { model, method } = readMethod(path);
  switch (method) {
    case "generateContent":
      return { parseRequest: (body) => parseRequest(CONTENT, body, { model, stream: false }) };
    case "streamGenerateContent": {
      const inArray = new URLSearchParams(query).get("alt") !== "sse";
      return { parseRequest: (body) => parseRequest(CONTENT, body, { model, stream: true, inArray }) };
    }
    case "embedContent":
    case "batchEmbedContents":
      return { parseRequest: (body) => parseRequest(EMBEDDINGS, body, { model, stream: false }) };
    default:
      return undefined;
  }
}

const TWICE_NAMED = ["systemInstruction", "generationConfig", "cachedContent", "toolConfig", "serviceTier"];
const TWICE_NAMED_OPTIONS = ["maxOutputTokens", "candidateCount", "thinkingConfig", "responseModalities"];

/** Limits and multipliers under OpenAI's names. Throws a 400 RelayError for a field under two names. */
function readOptions(json: JsonRecord): JsonRecord {
  const config = recordField(json, "generationConfig");
  refuseTwice(json, TWICE_NAMED);
  refuseTwice(config, TWICE_NAMED_OPTIONS);
  refuseTwice(recordField(config, "thinkingConfig"), ["thinkingBudget"]);
  refuseDearTier(fieldOf(json, "serviceTier"));
  return {
    max_output_tokens: readCountOf(config, "maxOutputTokens", MAX_TOKENS),
    n: readCountOf(config, "candidateCount", MAX_ANSWERS),
    // Google does not promise that thoughts are within the limit.
    thinking_budget: readBudget(recordField(config, "thinkingConfig")),
    modalities: lowerCase(fieldOf(config, "responseModalities")),
  };
}

const FAIR_TIERS: ReadonlySet<unknown> = new Set([
  undefined,
  null,
  "standard",
  "flex",
  "SERVICE_TIER_UNSPECIFIED",
  "SERVICE_TIER_STANDARD",
  "SERVICE_TIER_FLEX",
]);

function refuseDearTier(tier: unknown): void {
  if (!FAIR_TIERS.has(tier))
    throw badField("serviceTier", "serviceTier must be standard or flex: others cannot be charged here.");
}

function readNumber(record: JsonRecord, name: string): unknown {
  const value = fieldOf(record, name);
  return protoNumber(value) ?? value;
}

function readCountOf(config: JsonRecord, name: string, most: number): number | undefined {
  const path = `generationConfig.${name}`;
  return readCount({ [path]: readNumber(config, name) }, path, 1, most);
}

function readBudget(thinking: JsonRecord): unknown {
  const budget = readNumber(thinking, "thinkingBudget");
  if (typeof budget !== "string") return budget;
  throw badField("thinkingBudget", "thinkingBudget must be a whole number.");
}

function refuseTwice(record: JsonRecord, names: readonly string[]): void {
  for (const name of names) {
    const other = snakeCase(name);
    if (other === name || record[name] === undefined || record[other] === undefined) continue;
    throw badField(other, `The fields ${name} and ${other} are the same. Send one of them.`);
  }
}

function lowerCase(list: unknown): unknown {
  if (typeof list === "string") return [list.toLowerCase()];
  return Array.isArray(list)
    ? listOf(list).map((item) => (typeof item === "string" ? item.toLowerCase() : item))
    : list;
}

/** https://ai.google.dev/api/models#Model */
function writeModel({ id }: CallableModel): unknown {
  return {
    name: `models/${id}`,
    version: "001",
    displayName: id,
    inputTokenLimit: contextTokens(id),
    outputTokenLimit: maxOutputTokens(id) ?? UNKNOWN_MAX_OUTPUT_TOKENS,
    supportedGenerationMethods: /embed/i.test(id)
      ? ["embedContent", "batchEmbedContents"]
      : ["generateContent", "streamGenerateContent", "countTokens"],
  };
}

/** Source: https://cloud.google.com/apis/design/errors#handling_errors */
const NAME_OF_STATUS: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  402: "FAILED_PRECONDITION",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  413: "INVALID_ARGUMENT",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  501: "UNIMPLEMENTED",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

function writeError(error: RelayError, requestId: string): string {
  const { status: code, code: reason, param } = error;
  const message = `${messageOf(error)} (request id: ${requestId})`;
  const status = NAME_OF_STATUS[code] ?? (code >= 500 ? "INTERNAL" : "INVALID_ARGUMENT");
  const details = [
    ...(reason === null ? [] : [{ "@type": typeUrl("ErrorInfo"), reason: reason.toUpperCase(), domain: "one-api" }]),
    ...(param === null
      ? []
      : [{ "@type": typeUrl("BadRequest"), fieldViolations: [{ field: param, description: error.message }] }]),
    ...retryInfo(error),
  ];
  return JSON.stringify({ error: { code, message, status, ...(details.length > 0 && { details }) } });
}

const GOOGLE_OVERFLOW = /exceeds the maximum number of tokens/i;

/** Clients of Google's API detect an overflow by its words, so they precede the message of another provider. */
function messageOf({ message, overflow }: RelayError): string {
  if (overflow === undefined || GOOGLE_OVERFLOW.test(message)) return message;
  const { tokens, limit } = overflow;
  const [counted, allowed] = [tokens, limit].map((number) => (number === undefined ? "" : ` (${number})`));
  return `The input token count${counted} exceeds the maximum number of tokens allowed${allowed}. ${message}`;
}

function typeUrl(name: string): string {
  return `type.googleapis.com/google.rpc.${name}`;
}

function retryInfo({ headers }: RelayError): readonly JsonRecord[] {
  const seconds = headers["retry-after"];
  return seconds === undefined ? [] : [{ "@type": typeUrl("RetryInfo"), retryDelay: `${seconds}s` }];
}
