import { isUtf8 } from "node:buffer";
import type { Endpoint } from "@one-api/providers/provider";
import { isRecord, type JsonRecord } from "@one-api/providers/shared/json-fields";
import { RelayError } from "../relay-error.ts";
import { type FieldSpan, findFields } from "./json-fields.ts";

/** What a caller asks for, as far as the gateway needs to know it. */
export interface RelayAsk {
  readonly endpoint: Endpoint;
  readonly body: RelayBody;
  readonly model: string;
  readonly stream: boolean;
  /** The caller wants the usage chunk of a stream. */
  readonly wantsUsage: boolean;
  /** Completion tokens that the caller allows for each answer; undefined without a limit. */
  readonly maxTokens: number | undefined;
  /** How many answers one request asks for. */
  readonly answers: number;
  /** False where answers have no completion, as embeddings. */
  readonly hasCompletion: boolean;
}

/** What is special about an endpoint's body. */
export interface AskShape {
  readonly path: string;
  readonly endpoint: Endpoint;
  /** The field without which the request makes no sense. */
  readonly required: "messages" | "prompt" | "input";
  /** Fields that limit the completion, the one that counts first. */
  readonly limits: readonly string[];
  /** Fields that multiply the answers. */
  readonly multipliers: readonly string[];
}

/** The paths that take a body: https://platform.openai.com/docs/api-reference */
export const ASK_SHAPES: readonly AskShape[] = [
  {
    path: "/v1/chat/completions",
    endpoint: "chat-completions",
    required: "messages",
    limits: ["max_completion_tokens", "max_tokens"],
    multipliers: ["n"],
  },
  {
    path: "/v1/completions",
    endpoint: "completions",
    required: "prompt",
    limits: ["max_tokens"],
    multipliers: ["n", "best_of"],
  },
  { path: "/v1/embeddings", endpoint: "embeddings", required: "input", limits: [], multipliers: [] },
];

const MAX_MODEL_LENGTH = 256;
const MAX_TOKENS = 2 ** 30 - 1;
const MAX_ANSWERS = 128;

/** Reads what is asked. Throws a 400 RelayError that names the field and the fix. */
export function readAsk(shape: AskShape, body: RelayBody): RelayAsk {
  const { json } = body;
  const { model } = json;
  if (typeof model !== "string" || model === "" || model.length > MAX_MODEL_LENGTH) {
    throw badField("model", 'Name the model to call, for example "model": "gpt-4o-mini".');
  }
  const required = json[shape.required];
  if (required === undefined || required === null || (Array.isArray(required) && required.length === 0)) {
    throw badField(shape.required, `The field ${shape.required} is missing or empty.`);
  }
  if (shape.required === "messages" && !Array.isArray(required)) throw badField("messages", "messages must be a list.");
  const streamOptions = json["stream_options"];
  return {
    endpoint: shape.endpoint,
    body,
    model,
    stream: readFlag(json, "stream"),
    wantsUsage: isRecord(streamOptions) && streamOptions["include_usage"] === true,
    maxTokens: shape.limits.map((field) => readCount(json, field, 0, MAX_TOKENS)).find((limit) => limit !== undefined),
    answers: Math.max(1, ...shape.multipliers.map((field) => readCount(json, field, 1, MAX_ANSWERS) ?? 1)),
    hasCompletion: shape.limits.length > 0,
  };
}

function readFlag(json: JsonRecord, field: string): boolean {
  const value = json[field];
  if (value === undefined || value === null) return false;
  if (typeof value !== "boolean") throw badField(field, `${field} must be true or false.`);
  return value;
}

function readCount(json: JsonRecord, field: string, least: number, most: number): number | undefined {
  const value = json[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most) {
    throw badField(field, `${field} must be a whole number from ${least} to ${most}.`);
  }
  return value;
}

function badField(field: string, message: string): RelayError {
  return new RelayError({ status: 400, type: "invalid_request_error", code: "invalid_value", param: field, message });
}

/** A caller's JSON body: as it came, and as it reads. */
export interface RelayBody {
  readonly bytes: Buffer;
  readonly fields: ReadonlyMap<string, FieldSpan>;
  readonly json: JsonRecord;
}

/** Reads a body. Throws a 400 RelayError that says what is wrong with it. */
export function readBody(bytes: Buffer): RelayBody {
  if (!isUtf8(bytes)) throw badBody("The body is not valid UTF-8.");
  const fields = findFields(bytes);
  const json = parseObject(bytes);
  if (json === undefined)
    throw badBody("The body is not a valid JSON object. Send one with content-type application/json.");
  if (fields === undefined) throw badBody("The body nests deeper than 128 levels or names a field twice.");
  return { bytes, fields, json };
}

function parseObject(bytes: Buffer): JsonRecord | undefined {
  try {
    const json: unknown = JSON.parse(bytes.toString());
    return isRecord(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

function badBody(message: string): RelayError {
  return new RelayError({ status: 400, type: "invalid_request_error", code: "invalid_json", message });
}
