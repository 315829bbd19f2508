import { isUtf8 } from "node:buffer";
import type { Format } from "@one-api/providers/format";
import type { ToolReasoning } from "@one-api/providers/models/api-facts";
import { modelFacts } from "@one-api/providers/models/model-facts";
import type { Endpoint } from "@one-api/providers/provider";
import { isRecord, type JsonRecord, recordOf } from "@one-api/providers/shared/json-fields";
import { badField } from "./bad-field.ts";
import { BOUND_FIELDS, promptUpperBound, CONTENT_FIELDS, type PromptUpperBound } from "./prompt-upper-bound.ts";
import { outlineOf, wholeText } from "./outline.ts";
import { toolsIn } from "./hosted-tools.ts";
import { OTHER_MODELS, refuseUnpriced } from "./refuse-unpriced.ts";
import { badBody, type FieldSpan, scanBody, type ScannedObject } from "./scan-body.ts";
import type { MediaRequest } from "./media-request.ts";

/** What a caller asks for, as far as the gateway needs to know it. */
export interface ParsedRequest {
  readonly endpoint: Endpoint;
  /** What the caller's bytes mean, and what the answer is to be. */
  readonly format: Format;
  /** The caller's headers that belong to the format, lower-case names: they go with the body where that passes as it is. */
  readonly formatHeaders: Readonly<Record<string, string>>;
  /** The caller's query parameters that belong to the format, as `formatHeaders`; empty for none. */
  readonly formatQuery: string;
  readonly body: RequestBody;
  readonly model: string;
  readonly stream: boolean;
  /** The stream is to come as one JSON list instead of events. */
  readonly inArray: boolean;
  /** No other format can say it, so that routes of its own go before all others. */
  readonly needsOwnFormat: boolean;
  /** What a chat with tools asks of the model's reasoning, by which some models are served elsewhere. */
  readonly toolReasoning: ToolReasoning;
  /** The caller wants the usage chunk of a stream. */
  readonly wantsUsage: boolean;
  /** Completion tokens that the caller allows for each answer: the largest of all limits that a provider may go by; undefined without a limit. */
  readonly maxTokens: number | undefined;
  /** Tokens of each answer that no limit counts: reasoning with a budget of its own, and a prediction that turns out wrong. */
  readonly unlimitedTokens: number;
  /** How many answers one request asks for: for each of its prompts, times everything that multiplies them. */
  readonly answers: number;
  readonly prompt: PromptUpperBound;
  /** The most that what is asked for (a tier, speed, a place) can multiply the price of a model's tokens by. */
  readonly priceFactorOf: (model: string) => number;
  /** False where answers have no completion, as embeddings. */
  readonly hasCompletion: boolean;
  /** Pictures or sound that are asked for or asked about; undefined for texts. */
  readonly media: MediaRequest | undefined;
}

/** What is special about an endpoint's body. */
export interface RequestShape {
  readonly endpoint: Endpoint;
  readonly format: Format;
  /** The fields without one of which the request makes no sense; none where others look for them. */
  readonly required: readonly string[];
  /** The required field is a list of turns. */
  readonly isList?: true;
  /** Every text of the required field is a prompt with an answer of its own. */
  readonly hasManyPrompts?: true;
  /** Fields that limit the completion; none where there is none. Providers go by one or the other, so the largest counts. */
  readonly limits: readonly string[];
  /** Where limits and multipliers stand, by OpenAI's names, if not in the body itself. Throws RelayError. */
  optionsOf?(json: JsonRecord): JsonRecord;
  /** True where the caller wants reports of usage that a stream would not have by itself. */
  wantsUsage(json: JsonRecord): boolean;
  /** True for a request that no other format can say; absent where there is none. */
  needsOwnFormat?(json: JsonRecord): boolean;
  /** Whether the caller asks the model to reason; undefined where it leaves that to the model. Absent where models write no chats. */
  asksReasoning?(json: JsonRecord): boolean | undefined;
  /** The most that what is asked for (a tier, speed, a place) can multiply the price of a model's tokens by. */
  mostPriceFactor(json: JsonRecord, model: string): number;
}

/** Limits that some servers know beside these; alone they limit nothing, since most do not know them. */
const FURTHER_LIMITS = ["max_completion_tokens", "max_output_tokens", "max_new_tokens", "n_predict"] as const;
/** Fields that multiply the answers. */
const MULTIPLIERS = ["n", "best_of"] as const;

const MAX_MODEL_LENGTH = 256;
export const MAX_TOKENS = 2 ** 30 - 1;
export const MAX_ANSWERS = 128;

/** What stands elsewhere than in the body. */
type RequestBeside = Partial<
  Pick<ParsedRequest, "formatHeaders" | "formatQuery" | "model" | "stream" | "inArray" | "media" | "prompt">
>;

/** Reads what is asked. Throws a 400 RelayError that names the field and the fix. */
export function parseRequest(shape: RequestShape, body: RequestBody, beside: RequestBeside = {}): ParsedRequest {
  const { outline: json } = body;
  const model = beside.model ?? json["model"];
  if (typeof model !== "string" || model === "" || model.length > MAX_MODEL_LENGTH) {
    throw badField("model", 'Name the model to call, for example "model": "gpt-4o-mini".');
  }
  refuseUnpriced(json);
  checkRequired(shape, json);
  const options = shape.optionsOf?.(json) ?? json;
  const hasCompletion = shape.limits.length > 0;
  return {
    endpoint: shape.endpoint,
    format: shape.format,
    formatHeaders: beside.formatHeaders ?? {},
    formatQuery: beside.formatQuery ?? "",
    body,
    model,
    stream: beside.stream ?? readFlag(json, "stream"),
    inArray: beside.inArray ?? false,
    needsOwnFormat: shape.needsOwnFormat?.(json) ?? false,
    toolReasoning: readToolReasoning(shape, json),
    wantsUsage: shape.wantsUsage(json),
    maxTokens: readLimit(shape.limits, options),
    unlimitedTokens: hasCompletion ? countUnlimited(body, options) : 0,
    answers: hasCompletion ? countAnswers(shape, json, options) : 1,
    prompt: beside.prompt ?? promptUpperBound(json, body.bytes.length, options),
    priceFactorOf: (answering) => shape.mostPriceFactor(json, answering),
    hasCompletion,
    media: beside.media,
  };
}

function readToolReasoning(shape: RequestShape, json: JsonRecord): ToolReasoning {
  if (shape.asksReasoning === undefined || toolsIn(json).length === 0) return "none";
  const asked = shape.asksReasoning(json);
  return asked === undefined ? "unsaid" : asked ? "asked" : "none";
}

/** Whether it counts as a request for pictures: one of the paths for them, or a chat that is answered with some. */
export function asksForPictures({ media, hasCompletion, prompt, model }: ParsedRequest): boolean {
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

/** Zero is refused: some providers take it for no limit at all. */
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

/** A prompt is a text or a list of token numbers; a list of these are as many prompts. */
function countPrompts(prompt: unknown): number {
  if (!Array.isArray(prompt)) return 1;
  return prompt.every((part) => typeof part === "number") ? 1 : prompt.length;
}

/** Fields beside the limits that say how long a model may think, and where they stand. */
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

/** A field that is true or false; false without. Throws a 400 RelayError. */
export function readFlag(json: JsonRecord, field: string): boolean {
  const value = json[field];
  if (value === undefined || value === null) return false;
  if (typeof value !== "boolean") throw badField(field, `${field} must be true or false.`);
  return value;
}

/** A field that is a whole number; undefined without. Throws a 400 RelayError. */
export function readCount(json: JsonRecord, field: string, least: number, most: number): number | undefined {
  const value = json[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most) {
    throw badField(field, `${field} must be a whole number from ${least} to ${most}.`);
  }
  return value;
}

/** Fields that the gateway goes by. Some providers read names without regard to case, so such a name beside it would pass it by. */
const KNOWN_FIELDS = new Set<string>([
  ...BOUND_FIELDS,
  ...FURTHER_LIMITS,
  ...MULTIPLIERS,
  ...OTHER_MODELS,
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

/** What a body may hold, so that reading 32 MiB takes some 50 ms at the most, whatever they are. */
export const BODY_LIMITS = {
  values: 500_000,
  compounds: 50_000,
  wholeBytes: 100_000,
  outlineBytes: 8 * 1024 * 1024,
  pieceBytes: 64 * 1024,
  cutFields: new Set([...CONTENT_FIELDS, "images", "mask", "item", "audio"]),
};

/** A caller's JSON body: as it came, and as it reads. */
export interface RequestBody {
  readonly bytes: Buffer;
  readonly fields: ReadonlyMap<string, FieldSpan>;
  /** The whole body, parsed. Of large bodies this is made when it is first asked for; throws a 400 RelayError where a long text is malformed. */
  readonly json: JsonRecord;
  /** The body without the letters of long texts, see `lengthInBody`. The same as `json` in bodies of an ordinary size. */
  readonly outline: JsonRecord;
}

/** Reads a body within bounds of time and memory. Throws a 400 RelayError that says what is wrong with it. */
export function readBody(bytes: Buffer): RequestBody {
  if (!isUtf8(bytes)) throw badBody("The body is not valid UTF-8.");
  const scanned = scanBody(bytes, BODY_LIMITS);
  refuseOtherCases(scanned);
  return new ReadBody(bytes, scanned, parseObject(outlineOf(bytes, scanned)));
}

/** A body as a scan has shown it, and its outline. */
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
    this.#json = scanned.cuts.every(({ name }) => name !== undefined) ? this.outline : undefined;
  }

  get json(): JsonRecord {
    this.#json ??= parseObject(wholeText(this.bytes, this.#scanned));
    return this.#json;
  }
}

/** Throws a 400 RelayError where a field is known by another case of its name. */
export function refuseOtherCases({ fields }: ScannedObject): void {
  for (const name of fields.keys()) refuseOtherCase(name);
}

/** Upper case first, since some letters outside of ASCII become plain ones only so. */
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
  } catch {
    // Said below.
  }
  throw badBody("The body is not a valid JSON object. Send one with content-type application/json.");
}
