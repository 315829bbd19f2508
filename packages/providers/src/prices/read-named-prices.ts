import { type DatedPrice, isPriceInDollars, type PriceTable, readPrices } from "@one-api/contract/prices/model-prices";
import { z } from "zod";
import { defaultPrice } from "./default-price.ts";
import { priceToRatios } from "./price-to-ratios.ts";

const MOST_NAMES = 20_000;
const DIGITS = 12;
const DOLLARS_AT_RATIO_ONE = 2;

type JsonObject = Readonly<Record<string, unknown>>;

const amountSchema = z.number().min(0);
const tableSchema = z.record(z.string().min(1).max(300), amountSchema);
const objectSchema = z.record(z.string().max(300), z.unknown());

/**
 * Reads prices by name; throws a ZodError that names the first error.
 *
 * | form | recognised by |
 * |---|---|
 * | the option ModelPrices | `prices` |
 * | ratios of One API and new-api | `ModelRatio` or `model_ratio`, also within `data` |
 * | LiteLLM's model_prices_and_context_window.json | anything else: objects with costs per token |
 */
export function readNamedPrices(json: unknown): PriceTable {
  const document = objectSchema.parse(json);
  const inner = objectSchema.safeParse(document["data"]).data ?? document;
  const table =
    document["prices"] !== undefined
      ? readOwnForm(document["prices"])
      : hasRatios(inner)
        ? readRatioForm(inner)
        : readLiteLlmForm(document);
  if (table.size === 0) throw wrong([], "has no model with a price");
  if (table.size > MOST_NAMES) throw wrong([], `has more than ${MOST_NAMES} models`);
  return table;
}

function wrong(path: readonly string[], message: string): z.ZodError {
  return new z.ZodError([{ code: "custom", path: [...path], message, input: undefined }]);
}

function readOwnForm(prices: unknown): PriceTable {
  const read = readPrices(prices);
  if (read.prices !== undefined) return read.prices;
  const { field, reason } = read.problem;
  throw wrong(field === "" ? ["prices"] : ["prices", field], reason);
}

/** Names of the tables, in the options of One API and in the answer of new-api. */
const RATIO_TABLES = {
  model: ["ModelRatio", "model_ratio"],
  completion: ["CompletionRatio", "completion_ratio"],
  cached: ["CacheRatio", "cache_ratio"],
  cacheWrite: ["CreateCacheRatio", "create_cache_ratio"],
  request: ["ModelPrice", "model_price"],
} as const;

function hasRatios(document: JsonObject): boolean {
  return RATIO_TABLES.model.some((name) => document[name] !== undefined);
}

function readRatioForm(document: JsonObject): PriceTable {
  const read = (names: readonly string[]): Readonly<Record<string, number>> => {
    const name = names.find((each) => document[each] !== undefined);
    if (name === undefined) return {};
    const parsed = tableSchema.safeParse(document[name]);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw wrong([name, ...(issue?.path ?? []).map(String)], "must be a number of at least 0");
  };
  const tables = { ratios: read(RATIO_TABLES.model), completions: read(RATIO_TABLES.completion) };
  const caches = { cached: read(RATIO_TABLES.cached), cacheWrites: read(RATIO_TABLES.cacheWrite) };
  const prices = new Map<string, readonly DatedPrice[]>();
  for (const [model, ratio] of Object.entries(tables.ratios)) {
    const input = ratio * DOLLARS_AT_RATIO_ONE;
    const cached = caches.cached[model];
    const cacheWrite = caches.cacheWrites[model];
    add(prices, ["ModelRatio", model], model, {
      input: tidy(input),
      output: tidy(input * (tables.completions[model] ?? listedCompletion(model))),
      ...(cached !== undefined && { cached_input: tidy(input * cached) }),
      ...(cacheWrite !== undefined && { cache_write: tidy(input * cacheWrite) }),
    });
  }
  for (const [model, dollars] of Object.entries(read(RATIO_TABLES.request)))
    add(prices, ["ModelPrice", model], model, { per_request: tidy(dollars) });
  return prices;
}

function listedCompletion(model: string): number {
  const listed = defaultPrice(model);
  return Number((listed && priceToRatios(listed)?.completionRatio) ?? 1);
}

function tidy(dollars: number): number {
  return Number(dollars.toPrecision(DIGITS));
}

function add(
  prices: Map<string, readonly DatedPrice[]>,
  path: readonly string[],
  model: string,
  price: DatedPrice,
): void {
  if (!isPriceInDollars(price)) throw wrong(path, "is no price that a model can have");
  prices.set(model, [price]);
}

const MILLION = 1_000_000;

/** Fields of LiteLLM in dollars per token. */
const TOKEN_FIELDS: readonly (readonly [field: string, part: keyof DatedPrice])[] = [
  ["input_cost_per_token", "input"],
  ["output_cost_per_token", "output"],
  ["cache_read_input_token_cost", "cached_input"],
  ["cache_creation_input_token_cost", "cache_write"],
  ["cache_creation_input_token_cost_above_1hr", "cache_write_1h"],
  ["input_cost_per_audio_token", "audio_input"],
  ["output_cost_per_audio_token", "audio_output"],
  ["input_cost_per_image_token", "image_input"],
  ["output_cost_per_image_token", "image_output"],
  ["output_cost_per_reasoning_token", "reasoning"],
];

/** Fields of LiteLLM in dollars per unit, and how many units a price is for. */
const UNIT_FIELDS: readonly (readonly [field: string, price: keyof DatedPrice, amount: number])[] = [
  ["output_cost_per_image", "per_image", 1],
  ["input_cost_per_image", "per_image", 1],
  ["input_cost_per_second", "per_second", 1],
  ["output_cost_per_second", "per_second", 1],
  ["input_cost_per_character", "per_million_characters", MILLION],
  ["input_cost_per_query", "per_thousand_searches", 1_000],
];

const LONG_FIELD = /^input_cost_per_token_above_(\d+)k_tokens$/;

/** Channel types by the provider before a name. Names of others are taken as they are. */
const TYPES: Readonly<Record<string, number>> = {
  azure: 3,
  anthropic: 14,
  openrouter: 20,
  gemini: 24,
  moonshot: 25,
  mistral: 28,
  groq: 29,
  bedrock: 33,
  cohere: 35,
  deepseek: 36,
  together_ai: 39,
  xai: 45,
};

/** A cost of nothing often stands for an unknown one there, so free models are left out. */
function readLiteLlmForm(document: JsonObject): PriceTable {
  const prices = new Map<string, readonly DatedPrice[]>();
  for (const [name, value] of Object.entries(document)) {
    const model = objectSchema.safeParse(value).data;
    if (model === undefined || name === "sample_spec") continue;
    const price = priceOfLiteLlm(name, model);
    if (price === undefined) continue;
    add(prices, [name], nameOf(name), price);
  }
  return prices;
}

function nameOf(name: string): string {
  const slash = name.indexOf("/");
  const type = slash < 0 ? undefined : TYPES[name.slice(0, slash)];
  return type === undefined ? name : `${name.slice(slash + 1)}(${type})`;
}

function priceOfLiteLlm(name: string, model: JsonObject): DatedPrice | undefined {
  const cost = (field: string): number | undefined => {
    const value = model[field];
    if (value === undefined || value === null) return undefined;
    const amount = amountSchema.safeParse(value);
    if (!amount.success) throw wrong([name, field], "must be a number of at least 0");
    return amount.data;
  };
  const tokens = tokenCosts(cost, "");
  if ((tokens.input ?? 0) > 0) {
    const output = tokens.output ?? tokens.input;
    const steps = Object.keys(model)
      .flatMap((field) => LONG_FIELD.exec(field)?.[1] ?? [])
      .map(Number)
      .sort((left, right) => left - right)
      .map((thousands) => {
        const longer = tokenCosts(cost, `_above_${thousands}k_tokens`);
        return { above: thousands * 1_000, ...tokens, output, ...longer };
      });
    return { ...tokens, output, ...(steps.length > 0 && { steps }) };
  }
  const unit = UNIT_FIELDS.find(([field]) => (cost(field) ?? 0) > 0);
  return unit && { [unit[1]]: tidy((cost(unit[0]) ?? 0) * unit[2]) };
}

function tokenCosts(cost: (field: string) => number | undefined, suffix: string): Omit<DatedPrice, "from" | "steps"> {
  const parts = TOKEN_FIELDS.flatMap(([field, part]) => {
    const dollars = cost(`${field}${suffix}`);
    return dollars === undefined ? [] : [[part, tidy(dollars * MILLION)] as const];
  });
  return Object.fromEntries(parts);
}
