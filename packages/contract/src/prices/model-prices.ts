import * as z from "zod/mini";

/** Dollars. The lower bound keeps a price from being rounded to nothing. */
const MAX_DOLLARS = 1_000_000;
const MIN_DOLLARS = 0.000001;
const MAX_ENTRIES = 50;
const MAX_STEPS = 20;
const MAX_NAME_LENGTH = 300;

const AMOUNT = `must be 0, or a number of dollars from ${MIN_DOLLARS.toFixed(6)} to ${MAX_DOLLARS}`;

const dollarsSchema = z
  .number(AMOUNT)
  .check(z.refine((dollars) => dollars === 0 || (dollars >= MIN_DOLLARS && dollars <= MAX_DOLLARS), AMOUNT));

const part = z.optional(dollarsSchema);

/** Dollars per million tokens. A missing kind costs as much as the tokens that it is a part of. */
const tokenFields = {
  input: part,
  output: part,
  cached_input: part,
  cache_write: part,
  cache_write_1h: part,
  audio_input: part,
  cached_audio: part,
  audio_output: part,
  image_input: part,
  image_output: part,
  reasoning: part,
};

/** Dollars per unit, instead of tokens. */
const unitFields = {
  per_request: part,
  per_image: part,
  per_second: part,
  per_million_characters: part,
  per_thousand_searches: part,
};

export const TOKEN_PARTS = [
  "input",
  "output",
  "cached_input",
  "cache_write",
  "cache_write_1h",
  "audio_input",
  "cached_audio",
  "audio_output",
  "image_input",
  "image_output",
  "reasoning",
] as const satisfies readonly (keyof typeof tokenFields)[];

export type TokenPart = (typeof TOKEN_PARTS)[number];

export const UNIT_PRICES = [
  "per_request",
  "per_image",
  "per_second",
  "per_million_characters",
  "per_thousand_searches",
] as const satisfies readonly (keyof typeof unitFields)[];

export type UnitPrice = (typeof UNIT_PRICES)[number];

/** Service tiers of providers that may have a price of their own. */
export const PRICE_TIERS = ["flex", "priority", "ultrafast"] as const;

export type PriceTier = (typeof PRICE_TIERS)[number];

const MIN_FACTOR = 0.001;
const MAX_FACTOR = 100;
const FACTOR = `must be a factor from ${MIN_FACTOR} to ${MAX_FACTOR}`;

const factor = z.optional(z.number(FACTOR).check(z.minimum(MIN_FACTOR, FACTOR), z.maximum(MAX_FACTOR, FACTOR)));

type TokenPrices = { readonly [Part in TokenPart]?: number | undefined };

interface PriceFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

function faultsOfTokens(prices: TokenPrices, path: readonly (string | number)[]): PriceFault[] {
  const missing = (["input", "output"] as const).filter((name) => prices[name] === undefined);
  if (missing.length > 0) return missing.map((name) => ({ path: [...path, name], message: "is missing" }));
  if (prices.input !== 0) return [];
  const paid = TOKEN_PARTS.find((name) => (prices[name] ?? 0) > 0);
  return paid === undefined ? [] : [{ path: [...path, "input"], message: `must be above 0, because ${paid} is` }];
}

function faultsOfSteps(steps: readonly (TokenPrices & { readonly above: number })[]): PriceFault[] {
  return steps.flatMap((step, index) => {
    const isOrdered = index === 0 || step.above > (steps[index - 1]?.above ?? 0);
    const order = { path: ["steps", index, "above"], message: "must be above that of the step before" };
    return [...(isOrdered ? [] : [order]), ...faultsOfTokens(step, ["steps", index])];
  });
}

function faultsOf(price: z.infer<typeof uncheckedPrice>): PriceFault[] {
  const [unit, other] = UNIT_PRICES.filter((name) => price[name] !== undefined);
  if (unit === undefined) return [...faultsOfTokens(price, []), ...faultsOfSteps(price.steps ?? [])];
  const kind = TOKEN_PARTS.find((name) => price[name] !== undefined);
  const beside = other ?? kind ?? (price.steps && "steps") ?? (price.tiers && "tiers");
  return beside === undefined ? [] : [{ path: [beside], message: `cannot stand beside ${unit}` }];
}

const ABOVE = "must be a whole number of tokens";

const stepSchema = z.strictObject(
  { above: z.int(ABOVE).check(z.minimum(1, ABOVE)), ...tokenFields },
  "must be an object of prices",
);

const uncheckedPrice = z.strictObject({
  ...tokenFields,
  ...unitFields,
  /** Prices of every token of a longer prompt, ascending. */
  steps: z.optional(
    z.array(stepSchema, "must be a list").check(z.maxLength(MAX_STEPS, `must have at most ${MAX_STEPS} steps`)),
  ),
  /** Factors of all prices of tokens in a tier. A tier without one has that of the provider; an unknown tier the highest. */
  tiers: z.optional(
    z.strictObject({ flex: factor, priority: factor, ultrafast: factor }, "must be an object of factors"),
  ),
});

export const modelPriceSchema = uncheckedPrice.check(
  z.superRefine((price, context) => {
    for (const { path, message } of faultsOf(price)) context.addIssue({ code: "custom", path: [...path], message });
  }),
);

export type ModelPriceInDollars = z.infer<typeof modelPriceSchema>;

/** A day in UTC, or a time with its zone. */
const momentSchema = z.union(
  [z.iso.date(), z.iso.datetime({ offset: true })],
  "must be a day like 2026-12-01, or a time like 2026-12-01T08:00:00Z",
);

/** A price that begins at a time. Without one it holds until the first other one begins. */
const datedPriceSchema = z
  .strictObject({ from: z.optional(momentSchema), ...uncheckedPrice.shape }, "must be an object of prices")
  .check(
    z.superRefine((price, context) => {
      for (const { path, message } of faultsOf(price)) context.addIssue({ code: "custom", path: [...path], message });
    }),
  );

export type DatedPrice = z.infer<typeof datedPriceSchema>;

const NAME = `must be a name of 1 to ${MAX_NAME_LENGTH} characters`;

const nameSchema = z.string().check(
  z.minLength(1, NAME),
  z.maxLength(MAX_NAME_LENGTH, NAME),
  z.refine((name) => name === name.trim(), "must not begin or end with a space"),
);

const ENTRIES = `must have 1 to ${MAX_ENTRIES} prices`;

const datedPricesSchema = z.array(datedPriceSchema).check(
  z.minLength(1, ENTRIES),
  z.maxLength(MAX_ENTRIES, ENTRIES),
  z.superRefine((prices, context) => {
    const times = prices.map(startOf);
    const twice = times.findIndex((time, index) => times.indexOf(time) < index);
    if (twice >= 0) context.addIssue({ code: "custom", path: [twice, "from"], message: "begins with another price" });
  }),
);

/** Prices of models by name, or by `name(type)` for one channel type. */
export type PriceTable = ReadonlyMap<string, readonly DatedPrice[]>;

export const priceTableSchema = z.record(nameSchema, datedPricesSchema);

/** First problem of a text of prices. The path of its field is empty for the whole text. */
export interface PricesProblem {
  readonly field: string;
  readonly reason: string;
}

export type ParsedPrices =
  | { readonly prices: PriceTable }
  | { readonly prices: undefined; readonly problem: PricesProblem };

/** Parses a JSON object of models, each with a price or a list of dated ones. An empty text is an empty object. */
export function parsePrices(text: string): ParsedPrices {
  if (text.trim() === "") return { prices: new Map() };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return faulty("", "is not valid JSON");
  }
  const twice = findDuplicateName(text);
  return twice === undefined ? readPrices(json) : faulty(twice, "is there twice");
}

/** Reads parsed JSON like `parsePrices`. */
export function readPrices(json: unknown): ParsedPrices {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return faulty("", "must be an object");
  const prices = new Map<string, readonly DatedPrice[]>();
  for (const [name, value] of Object.entries(json)) {
    const named = nameSchema.safeParse(name);
    if (!named.success) return faulty(name, named.error.issues[0]?.message ?? "is no name");
    const read = datedPricesSchema.safeParse(Array.isArray(value) ? value : [value]);
    if (!read.success) return faultOf(name, Array.isArray(value), read.error.issues[0]);
    prices.set(
      name,
      read.data.toSorted((left, right) => startOf(left) - startOf(right)),
    );
  }
  return { prices };
}

function faulty(field: string, reason: string): ParsedPrices {
  return { prices: undefined, problem: { field, reason } };
}

function faultOf(name: string, isList: boolean, issue: z.core.$ZodIssue | undefined): ParsedPrices {
  const path = issue?.path ?? [];
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const field = [name, ...(isList ? path : path.slice(1)), ...unknown].map(String).join(".");
  return faulty(field, unknown.length > 0 ? "is no field of a price" : (issue?.message ?? "is wrong"));
}

const TOKENS_OF_JSON = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** Returns the first name that an object of valid JSON has twice, of which JSON.parse drops one. */
function findDuplicateName(text: string): string | undefined {
  const open: Set<string>[] = [];
  let last = "";
  for (const [token] of text.matchAll(TOKENS_OF_JSON)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":") {
      const names = open.at(-1);
      if (names?.has(last) === true) return String(JSON.parse(last));
      names?.add(last);
    } else last = token;
  }
  return undefined;
}

export function isPriceInDollars(price: DatedPrice): boolean {
  return datedPriceSchema.safeParse(price).success;
}

/** Unix time in ms from which a price holds; 0 without a time. */
export function startOf({ from }: Pick<DatedPrice, "from">): number {
  return from === undefined ? 0 : Date.parse(from);
}

/** The price in force at a time, in ms; undefined before the first one begins. */
export function priceInForce(prices: readonly DatedPrice[], nowMs: number): DatedPrice | undefined {
  return prices.findLast((price) => startOf(price) <= nowMs);
}

/** The first beginning of a price after a time, in ms; Infinity without one. */
export function nextStart(table: PriceTable, nowMs: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (const prices of table.values())
    for (const price of prices) if (startOf(price) > nowMs) next = Math.min(next, startOf(price));
  return next;
}

/** Writes prices as indented JSON, one model a line; empty for none. */
export function formatPrices(table: PriceTable): string {
  if (table.size === 0) return "";
  const lines = [...table].map(([name, prices]) => {
    const [only] = prices;
    const value = prices.length === 1 && only?.from === undefined ? only : prices;
    return `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`;
  });
  return `{\n${lines.join(",\n")}\n}`;
}
