import { setImmediate as nextTurn } from "node:timers/promises";
import { type ChannelType, channelTypeInfo } from "@one-api/contract/channels/channel-types";
import {
  type ModelPriceInDollars,
  TOKEN_PARTS,
  type TokenPart,
  UNIT_PRICES,
} from "@one-api/contract/prices/model-prices";
import type { PriceChange } from "@one-api/contract/prices/price-list";
import { UNKNOWN_MODEL_RATIO } from "@one-api/contract/prices/ratios";
import { splitList } from "@one-api/contract/texts";
import type { OptionStore } from "../../core/option-store.ts";
import type { Queryable } from "../../core/transaction.ts";
import { listServedModels, readModelMapping } from "../channels/index.ts";
import type { ModelCatalogue } from "../models/index.ts";
import type { ReadableList } from "./follow-price-list.ts";
import { listKnownModels } from "./list-listed-prices.ts";

const MODELS_PER_SLICE = 5;

interface CompareDependencies {
  readonly catalogue: ModelCatalogue;
  readonly options: Pick<OptionStore, "ratios" | "prices">;
}

type PricedModel = Pick<PriceChange, "model" | "served"> & { readonly type: ChannelType | undefined };

export type ListChange = Omit<PriceChange, "due_at">;

/** Compares two lists for every model that a channel serves or may serve: served ones first, then by name. */
export async function compareLists(
  queryable: Queryable,
  { catalogue, options }: CompareDependencies,
  current: ReadableList,
  other: ReadableList,
): Promise<ListChange[]> {
  const changes: ListChange[] = [];
  for (const [index, { model, type, served }] of (await listPricedModels(queryable, catalogue)).entries()) {
    if (index % MODELS_PER_SLICE === 0) await nextTurn();
    const before = current.priceOf(model, type) ?? null;
    const after = other.priceOf(model, type) ?? null;
    if (JSON.stringify(before) === JSON.stringify(after)) continue;
    const has_own_ratio = [model, `${model}(${type})`].some(
      (name) => options.ratios("ModelRatio").has(name) || options.prices("ModelPrices").has(name),
    );
    const kind = kindOf(before, after);
    changes.push({ model, type: type ?? null, served, before, after, has_own_ratio, kind });
  }
  return changes.sort((left, right) => Number(right.served) - Number(left.served));
}

async function listPricedModels(queryable: Queryable, catalogue: ModelCatalogue): Promise<PricedModel[]> {
  const models = new Map<string, PricedModel>();
  const add = (model: string, type: ChannelType | undefined, served: boolean) => {
    const key = `${model} ${type}`;
    if (!models.has(key)) models.set(key, { model, type, served });
  };
  for (const { type, models: names, model_mapping } of await listServedModels(queryable)) {
    const mapping = readModelMapping(model_mapping);
    for (const name of splitList(names)) add(mapping.get(name) ?? name, channelTypeInfo(type)?.type, true);
  }
  for (const { model, type, served } of await listKnownModels(queryable, catalogue)) add(model, type, served);
  return [...models.values()].sort((left, right) => (left.model < right.model ? -1 : 1));
}

const DOLLARS_AT_RATIO_ONE = 2;
const FALLBACK: ModelPriceInDollars = {
  input: UNKNOWN_MODEL_RATIO * DOLLARS_AT_RATIO_ONE,
  output: UNKNOWN_MODEL_RATIO * DOLLARS_AT_RATIO_ONE,
};
/** A price that changes by more is taken for an error of the list. */
const MOST_FACTOR = 10;

/**
 * | kind | change |
 * |---|---|
 * | `new` | the list did not have the model, and its price is not 0 |
 * | `cheaper` | no kind of tokens costs more |
 * | `dearer` | some kind costs more |
 * | `odd` | more than tenfold or less than a tenth, to or from 0, another unit, or the model is gone |
 */
export function kindOf(before: ModelPriceInDollars | null, after: ModelPriceInDollars | null): PriceChange["kind"] {
  if (after === null) return "odd";
  const prices = pricesOf(after);
  if (before === null) return prices.some((price) => price === 0) || !isBelow(after, FALLBACK) ? "odd" : "new";
  if (unitOf(before) !== unitOf(after)) return "odd";
  const factors = pairsOf(before, after).map(([old, next]) => (old === next ? 1 : next / old));
  if (factors.some((factor) => !(factor >= 1 / MOST_FACTOR && factor <= MOST_FACTOR))) return "odd";
  return factors.every((factor) => factor <= 1) ? "cheaper" : "dearer";
}

function unitOf(price: ModelPriceInDollars): string {
  return UNIT_PRICES.find((name) => price[name] !== undefined) ?? "token";
}

function pricesOf(price: ModelPriceInDollars): number[] {
  return UNIT_PRICES.flatMap((name) => price[name] ?? []).concat(price.input ?? []);
}

function isBelow(price: ModelPriceInDollars, other: ModelPriceInDollars): boolean {
  return unitOf(price) !== "token" || pairsOf(other, price).every(([most, next]) => next <= most);
}

type TokenPrices = { readonly [Part in TokenPart]?: number | undefined };

const OUTPUTS: ReadonlySet<TokenPart> = new Set(["output", "audio_output", "image_output", "reasoning"]);

function priceOfPart(prices: TokenPrices, part: TokenPart): number {
  const usual = OUTPUTS.has(part) ? prices.output : prices.input;
  const short = part === "cache_write_1h" ? prices.cache_write : part === "cached_audio" ? prices.audio_input : usual;
  return prices[part] ?? short ?? usual ?? 0;
}

function pairsOf(before: ModelPriceInDollars, after: ModelPriceInDollars): (readonly [number, number])[] {
  const unit = UNIT_PRICES.find((name) => after[name] !== undefined);
  if (unit !== undefined) return [[before[unit] ?? 0, after[unit] ?? 0]];
  const bounds = [0, ...[...(before.steps ?? []), ...(after.steps ?? [])].map(({ above }) => above)];
  return bounds.flatMap((above) => {
    const at = ({ steps = [], ...plain }: ModelPriceInDollars): TokenPrices =>
      steps.findLast((step) => step.above <= above) ?? plain;
    return TOKEN_PARTS.map((part) => [priceOfPart(at(before), part), priceOfPart(at(after), part)] as const);
  });
}
