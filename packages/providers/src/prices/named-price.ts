import type { ChannelType } from "@one-api/contract/channels/channel-types";
import {
  type DatedPrice,
  type ModelPriceInDollars,
  PRICE_TIERS,
  type PriceTier,
  priceInForce,
  type PriceTable,
  type TokenPart,
  type UnitPrice,
} from "@one-api/contract/prices/model-prices";
import type { PriceUnit } from "@one-api/contract/prices/price-unit";
import { type Decimal, decimalOf, divideDecimals } from "./decimal.ts";
import type { ModelPrice, OwnTiers, TokenPrices } from "./price-to-ratios.ts";
import { pricePerMillion } from "./price-unit.ts";

const remembered = new WeakMap<DatedPrice, ModelPrice>();

/** Returns the price of a table that is in force. `name(type)` wins over `name`. */
export function namedPrice(
  table: PriceTable,
  model: string,
  type: ChannelType | undefined,
  nowMs: number,
): ModelPrice | undefined {
  if (table.size === 0) return undefined;
  for (const name of type === undefined ? [model] : [`${model}(${type})`, model]) {
    const found = priceInForce(table.get(name) ?? [], nowMs);
    if (found !== undefined) return priceOfDollars(found);
  }
  return undefined;
}

function priceOfDollars(dollars: DatedPrice): ModelPrice {
  const known = remembered.get(dollars);
  if (known !== undefined) return known;
  const { steps = [], tiers } = dollars;
  const price: ModelPrice = {
    ...(unitPriceOf(dollars) ?? tokenPricesOf(dollars)),
    ...(steps.length > 0 && { steps: steps.map((step) => ({ above: step.above, ...tokenPricesOf(step) })) }),
    ...(tiers !== undefined && { tiers: factorsOf(tiers) }),
    source: "prices by name",
    simplified: [],
  };
  remembered.set(dollars, price);
  return price;
}

function factorsOf(tiers: NonNullable<DatedPrice["tiers"]>): OwnTiers {
  const factors: Partial<Record<PriceTier, number>> = {};
  for (const name of PRICE_TIERS) {
    const factor = tiers[name];
    if (factor !== undefined) factors[name] = factor;
  }
  return factors;
}

const UNITS: Readonly<Record<UnitPrice, readonly [unit: Exclude<PriceUnit, "token">, amount: Decimal]>> = {
  per_request: ["request", "1"],
  per_image: ["image", "1"],
  per_second: ["second", "1"],
  per_million_characters: ["character", "1000000"],
  per_thousand_searches: ["search", "1000"],
};

const NAMES: readonly UnitPrice[] = [
  "per_request",
  "per_image",
  "per_second",
  "per_million_characters",
  "per_thousand_searches",
];

function unitPriceOf(dollars: DatedPrice): Pick<ModelPrice, "unit" | "input" | "output"> | undefined {
  const name = NAMES.find((unit) => dollars[unit] !== undefined);
  if (name === undefined) return undefined;
  const [unit, amount] = UNITS[name];
  const price = pricePerMillion(unit, decimalOf(dollars[name] ?? 0), amount);
  return { unit, input: price, output: price };
}

const FIELDS: Readonly<Record<TokenPart, keyof TokenPrices>> = {
  input: "input",
  output: "output",
  cached_input: "cachedInput",
  cache_write: "cacheWrite",
  cache_write_1h: "longCacheWrite",
  audio_input: "audioInput",
  cached_audio: "cachedAudio",
  audio_output: "audioOutput",
  image_input: "imageInput",
  image_output: "imageOutput",
  reasoning: "reasoning",
};

const PARTS = Object.keys(FIELDS).filter((name): name is TokenPart => Object.hasOwn(FIELDS, name));

function tokenPricesOf(dollars: { readonly [Part in TokenPart]?: number | undefined }): TokenPrices {
  const prices: { -readonly [Field in keyof TokenPrices]?: Decimal } = {};
  for (const part of PARTS) {
    const price = dollars[part];
    if (price !== undefined) prices[FIELDS[part]] = decimalOf(price);
  }
  const { input = "0", output = input } = prices;
  return { ...prices, input, output };
}
/** Returns a price in dollars, as `namedPrice` reads it. */
export function dollarsOfPrice(price: ModelPrice): ModelPriceInDollars {
  const name = NAMES.find((unit) => UNITS[unit][0] === price.unit);
  if (name !== undefined) return { [name]: dollarsPerUnit(name, price.input) };
  const { steps = [] } = price;
  return {
    ...partsOf(price),
    ...(steps.length > 0 && { steps: steps.map((step) => ({ above: step.above, ...partsOf(step) })) }),
  };
}

function partsOf(prices: TokenPrices): ModelPriceInDollars {
  const parts: ModelPriceInDollars = {};
  for (const part of PARTS) {
    const price = prices[FIELDS[part]];
    if (price !== undefined) parts[part] = Number(price);
  }
  return parts;
}

const DIGITS = 12;

function dollarsPerUnit(name: UnitPrice, perMillion: Decimal): number {
  const [unit, amount] = UNITS[name];
  const ofOneDollar = pricePerMillion(unit, "1", amount);
  return Number(Number(divideDecimals(perMillion, ofOneDollar)).toPrecision(DIGITS));
}
