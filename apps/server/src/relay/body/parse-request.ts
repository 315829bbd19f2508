import { isUtf8 } from "node:buffer";
import type { PriceTier } from "@one-api/contract/prices/model-prices";
import type { Format } from "@one-api/providers/format";
import type { ToolReasoning } from "@one-api/providers/model-facts/api-facts";
import { modelFacts } from "@one-api/providers/model-facts/model-facts";
import type { Endpoint } from "@one-api/providers/provider";
import { isRecord, type JsonRecord, recordOf } from "@one-api/providers/shared/json-fields";
import { ownTierIn } from "@one-api/providers/tier-factor";
import { badField } from "./bad-field.ts";
import { BOUND_FIELDS, promptUpperBound, CONTENT_FIELDS, type PromptUpperBound } from "./prompt-upper-bound.ts";
import { outlineOf, wholeText } from "./outline.ts";
import { toolsIn } from "./hosted-tools.ts";
import { FALLBACK_FIELDS, type Fallbacks, NO_FALLBACKS, readFallbacks } from "./read-fallbacks.ts";
import { OTHER_MODELS, refuseUnpriced } from "./refuse-unpriced.ts";
import { badBody, type FieldSpan, scanBody, type ScannedObject } from "./scan-body.ts";
import type { MediaRequest } from "./media-request.ts";

export interface ParsedRequest {
  readonly endpoint: Endpoint;
  readonly format: Format;
  /** The caller's headers of the format, by lower-case names. They are forwarded when the body passes untouched. */
  readonly formatHeaders: Readonly<Record<string, string>>;
  readonly formatQuery: string;
  readonly body: RequestBody;
  readonly model: string;
  readonly fallbacks: Fallbacks;
  readonly stream: boolean;
  /** One JSON list instead of events. */
  readonly inArray: boolean;
  /** No other format can express it: candidates of the same format come first. */
  readonly needsOwnFormat: boolean;
  /** Reasoning that a chat with tools requests. Some models need another endpoint for it. */
  readonly toolReasoning: ToolReasoning;
  readonly wantsUsage: boolean;
  /** Completion tokens allowed per answer: the largest of all limits that a provider may apply; undefined without a limit. */
  readonly maxTokens: number | undefined;
  /** Tokens per answer outside every limit: reasoning with its own budget, and rejected predictions. */
  readonly unlimitedTokens: number;
  readonly answers: number;
  readonly prompt: PromptUpperBound;
  readonly priceFactorOf: (model: string) => number;
  /** Requested tier that a model may have a price of its own for. */
  readonly tier: PriceTier | undefined;
  readonly hasCompletion: boolean;
  readonly media: MediaRequest | undefined;
}

export interface RequestShape {
  readonly endpoint: Endpoint;
  readonly format: Format;
  /** Alternative names of the required field; empty if it is checked elsewhere. */
  readonly required: readonly string[];
  readonly isList?: true;
  readonly hasManyPrompts?: true;
  /** Fields that limit the completion; empty without a completion. Providers apply different ones, so the largest counts. */
  readonly limits: readonly string[];
  /** Returns limits and multipliers under OpenAI's names. Throws RelayError. */
  optionsOf?(json: JsonRecord): JsonRecord;
  /** Answers of the endpoint are always whole, so `stream` is not read: a caller that sets it must not make a whole answer a fault of the channel. */
  readonly neverStreams?: true;
  wantsUsage(json: JsonRecord): boolean;
  needsOwnFormat?(json: JsonRecord): boolean;
  /** Whether the caller requests reasoning; undefined if the model decides. Absent for endpoints without chats. */
  wantsReasoning?(json: JsonRecord): boolean | undefined;
  mostPriceFactor(json: JsonRecord, model: string): number;
}

/** Limits that some servers also apply. Most ignore them, so they count only if they exceed another limit. */
const FURTHER_LIMITS = ["max_completion_tokens", "max_output_tokens", "max_new_tokens", "n_predict"] as const;
const MULTIPLIERS = ["n", "best_of"] as const;

const MAX_MODEL_LENGTH = 256;
export const MAX_TOKENS = 2 ** 30 - 1;
export const MAX_ANSWERS = 128;

type RequestOverrides = Partial<
  Pick<ParsedRequest, "formatHeaders" | "formatQuery" | "model" | "stream" | "inArray" | "media" | "prompt">
>;

/** Throws a 400 RelayError that names the field and the correction. */
export function parseRequest(shape: RequestShape, body: RequestBody, overrides: RequestOverrides = {}): ParsedRequest {
  const { outline: json } = body;
  const model = overrides.model ?? json["model"];
  if (typeof model !== "string" || model === "" || model.length > MAX_MODEL_LENGTH) {
    throw badField("model", 'Name the model to call, for example "model": "gpt-4o-mini".');
  }
  const hasCompletion = shape.limits.length > 0;
  const fallbacks = hasCompletion ? readFallbacks(json, MAX_MODEL_LENGTH) : NO_FALLBACKS;
  refuseUnpriced(json, fallbacks.fields);
  checkRequired(shape, json);
  const options = shape.optionsOf?.(json) ?? json;
  return {
    endpoint: shape.endpoint,
    format: shape.format,
    formatHeaders: overrides.formatHeaders ?? {},
    formatQuery: overrides.formatQuery ?? "",
    body,
    model,
    fallbacks,
    stream: shape.neverStreams !== true && (overrides.stream ?? readFlag(json, "stream")),
    inArray: overrides.inArray ?? false,
    needsOwnFormat: shape.needsOwnFormat?.(json) ?? false,
    toolReasoning: readToolReasoning(shape, json),
    wantsUsage: shape.wantsUsage(json),
    maxTokens: readLimit(shape.limits, options),
    unlimitedTokens: hasCompletion ? countUnlimited(body, options) : 0,
    answers: hasCompletion ? countAnswers(shape, json, options) : 1,
    prompt: overrides.prompt ?? promptUpperBound(json, body.bytes.length, options),
    tier: ownTierIn(json),
    priceFactorOf: (answering) => shape.mostPriceFactor(json, answering),
    hasCompletion,
    media: overrides.media,
  };
}

function readToolReasoning(shape: RequestShape, json: JsonRecord): ToolReasoning {
  if (shape.wantsReasoning === undefined || toolsIn(json).length === 0) return "none";
  const asked = shape.wantsReasoning(json);
  return asked === undefined ? "unsaid" : asked ? "asked" : "none";
}

export function requestsImages({ media, hasCompletion, prompt, model }: ParsedRequest): boolean {
  if (media !== undefined) return media.kind === "image";
  return hasCompletion && (prompt.wantsPictures ?? modelFacts(model).drawsInChats);
}

function checkRequired({ required, isList }: RequestShape, json: JsonRecord): void {
  if (required.length === 0) return;
  const [first = ""] = required;
  const given = required.map((name) => json[name]).find((value) => value !== undefined && value !== null);
  if (given === undefined || (Array.isArray(given) && given.length === 0)) {
    throw badField(first, `The field ${first} is missing or empty.`);
  }
  if (isList === true && !Array.isArray(given)) throw badField(first, `${first} must be a list.`);
}

/** Refuses 0, which some providers take for no limit. */
function readLimit(limits: readonly string[], json: JsonRecord): number | undefined {
  let most: number | undefined;
  for (const field of limits) {
    const limit = readCount(json, field, 1, MAX_TOKENS);
    if (limit !== undefined) most = Math.max(most ?? 0, limit);
  }
  if (most === undefined) return undefined;
  for (const field of FURTHER_LIMITS) {
    const limit = json[field];
    if (typeof limit === "number")
      most = Math.max(most, limit < 0 ? MAX_TOKENS : Math.min(MAX_TOKENS, Math.ceil(limit)));
  }
  return most;
}

function countAnswers({ hasManyPrompts }: RequestShape, json: JsonRecord, options: JsonRecord): number {
  let answers = hasManyPrompts === true ? countPrompts(json["prompt"]) : 1;
  for (const field of MULTIPLIERS) answers *= readCount(options, field, 1, MAX_ANSWERS) ?? 1;
  return answers;
}

/** A prompt is a text or a list of token numbers; a list of these is several prompts. */
function countPrompts(prompt: unknown): number {
  if (!Array.isArray(prompt)) return 1;
  return prompt.every((item) => typeof item === "number") ? 1 : prompt.length;
}

function countUnlimited({ outline: json, fields }: RequestBody, options: JsonRecord): number {
  const budgets = [
    options["thinking_budget"],
    recordOf(json["thinking"])["budget_tokens"],
    recordOf(json["reasoning"])["max_tokens"],
    recordOf(json["chat_template_kwargs"])["thinking_budget"],
  ];
  let tokens = 0;
  for (const budget of budgets)
    if (typeof budget === "number" && budget > 0) tokens += Math.min(MAX_TOKENS, Math.ceil(budget));
  const prediction = isRecord(json["prediction"]) ? fields.get("prediction") : undefined;
  return tokens + (prediction === undefined ? 0 : prediction.end - prediction.start);
}

/** Throws a 400 RelayError. */
export function readFlag(json: JsonRecord, field: string): boolean {
  const value = json[field];
  if (value === undefined || value === null) return false;
  if (typeof value !== "boolean") throw badField(field, `${field} must be true or false.`);
  return value;
}

/** Throws a 400 RelayError. */
export function readCount(json: JsonRecord, field: string, least: number, most: number): number | undefined {
  const value = json[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most) {
    throw badField(field, `${field} must be a whole number from ${least} to ${most}.`);
  }
  return value;
}

/** Fields that decide price or route. Some providers ignore the case of names, so another case is refused. */
export const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  ...BOUND_FIELDS,
  ...FURTHER_LIMITS,
  ...MULTIPLIERS,
  ...OTHER_MODELS,
  ...FALLBACK_FIELDS,
  "audio",
  "background",
  "frame_count",
  "functions",
  "inference_geo",
  "max_tokens",
  "mask",
  "modalities",
  "model",
  "output_format",
  "provider",
  "providerOptions",
  "partial_images",
  "prediction",
  "quality",
  "query",
  "reasoning",
  "service_tier",
  "size",
  "speed",
  "stream",
  "stream_options",
  "thinking",
  "thinking_budget",
  "tools",
]);

/** Limits under which reading 32 MiB takes at most about 50 ms. */
export const BODY_LIMITS = {
  values: 500_000,
  compounds: 50_000,
  wholeBytes: 100_000,
  outlineBytes: 8 * 1024 * 1024,
  pieceBytes: 64 * 1024,
  elidedFields: new Set([...CONTENT_FIELDS, "images", "mask", "item", "audio"]),
};

export interface RequestBody {
  readonly bytes: Buffer;
  readonly fields: ReadonlyMap<string, FieldSpan>;
  /** The whole body. A large one is parsed at the first use; throws a 400 RelayError if a long text is malformed. */
  readonly json: JsonRecord;
  /** The body without its long texts, see `lengthInBody`. Equals `json` for bodies of ordinary size. */
  readonly outline: JsonRecord;
}

/** Throws a 400 RelayError that names the error. */
export function readBody(bytes: Buffer): RequestBody {
  if (!isUtf8(bytes)) throw badBody("The body is not valid UTF-8.");
  const scanned = scanBody(bytes, BODY_LIMITS);
  refuseOtherCases(scanned);
  return new ReadBody(bytes, scanned, parseObject(outlineOf(bytes, scanned)));
}

export class ReadBody implements RequestBody {
  readonly bytes: Buffer;
  readonly fields: ReadonlyMap<string, FieldSpan>;
  readonly outline: JsonRecord;
  readonly #scanned: ScannedObject;
  #json: JsonRecord | undefined;

  constructor(bytes: Buffer, scanned: ScannedObject, outline: JsonRecord) {
    this.bytes = bytes;
    this.fields = scanned.fields;
    this.outline = outline;
    this.#scanned = scanned;
    this.#json = scanned.elisions.every(({ name }) => name !== undefined) ? this.outline : undefined;
  }

  get json(): JsonRecord {
    this.#json ??= parseObject(wholeText(this.bytes, this.#scanned));
    return this.#json;
  }
}

export function refuseOtherCases({ fields }: ScannedObject): void {
  for (const name of fields.keys()) refuseOtherCase(name);
}

/** Upper case first: some non-ASCII letters become ASCII only that way. */
function refuseOtherCase(name: string): void {
  if (KNOWN_FIELDS.has(name)) return;
  const known = name.toUpperCase().toLowerCase();
  if (!KNOWN_FIELDS.has(known)) return;
  throw badField(name, `The field ${name} is not known. Write it as ${known}.`);
}

function parseObject(text: string): JsonRecord {
  try {
    const json: unknown = JSON.parse(text);
    if (isRecord(json)) return json;
  } catch {}
  throw badBody("The body is not a valid JSON object. Send one with content-type application/json.");
}
