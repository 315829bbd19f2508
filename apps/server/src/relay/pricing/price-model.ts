import type { ChannelCosts } from "@one-api/contract/channels/channel-json";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { nextStart } from "@one-api/contract/prices/model-prices";
import type { PriceUnit } from "@one-api/contract/prices/price-unit";
import { UNKNOWN_MODEL_RATIO } from "@one-api/contract/prices/ratios";
import { defaultPrice, listHoldsUntil } from "@one-api/providers/prices/default-price";
import { namedPrice } from "@one-api/providers/prices/named-price";
import {
  type ModelPrice,
  type OwnTiers,
  priceToRatios,
  type TokenRatios,
} from "@one-api/providers/prices/price-to-ratios";
import { priceUnit, usualUnit } from "@one-api/providers/prices/price-unit";
import type { Endpoint } from "@one-api/providers/provider";
import type { OptionStore, RatioTable } from "../../core/option-store.ts";

/** Ratio 1 is $0.002 per 1,000 input tokens: 1 quota a token at 500,000 quota to the dollar. Other ratios are relative to the input price. */
export interface Price {
  readonly unit: PriceUnit;
  readonly modelRatio: number;
  readonly completionRatio: number;
  readonly groupRatio: number;
  readonly cachedRatio: number;
  readonly cacheWriteRatio: number;
  readonly longCacheWriteRatio: number;
  readonly audioRatio: number;
  readonly cachedAudioRatio: number;
  readonly audioCompletionRatio: number;
  readonly imageRatio: number;
  readonly imageCompletionRatio: number;
  readonly reasoningRatio: number;
  readonly tiers?: OwnTiers;
  /** Source of the model ratio: an option, the maintained list, or neither. */
  readonly source: "option" | "list" | "fallback";
  readonly steps?: readonly PriceStep[];
}

export interface PriceStep {
  readonly above: number;
  readonly price: Omit<Price, "steps">;
}

/**
 * Factor of long over short cache writes, if the list has one price. Claude: 1 h / 5 min; OpenAI: 12 h / 30 min.
 * Sources: https://docs.anthropic.com/en/docs/about-claude/pricing, https://developers.openai.com/api/docs/models/gpt-6.2-sol
 */
const LONG_CACHE_FACTORS = { claude: 1.6, openAi: 2 } as const;
const OPENAI_MODEL = /^(?:openai\/)?gpt-/;

export type PriceOptions = Pick<OptionStore, "ratios" | "prices">;

/** A model at a channel type, as callers of a group use it. */
export interface PricedUse {
  readonly model: string;
  readonly type: ChannelType;
  readonly group: string;
  /** Undefined for the price that holds at any endpoint. */
  readonly endpoint?: Endpoint | undefined;
  /** Default: now. */
  readonly at?: Date | undefined;
}

/**
 * Price for callers: option ModelPrices, then ModelRatio and CompletionRatio, then the list, then the ratio for unknown
 * models. A group without a ratio pays 1.
 */
export function priceModel(
  options: PriceOptions,
  { model, type, group, endpoint, at: now = new Date() }: PricedUse,
): Price {
  const groupRatio = options.ratios("GroupRatio").get(group) ?? 1;
  const ownPrice = namedPrice(options.prices("ModelPrices"), model, type, now.getTime());
  if (ownPrice !== undefined) {
    const unit = unitOf(endpoint, model, ownPrice);
    return withSteps(ownPrice, ownRatios(model, ownPrice), { unit, groupRatio, source: "option" });
  }
  const ownModelRatio = lookUp(options.ratios("ModelRatio"), model, type);
  const listed = defaultPrice(model, type, now);
  const isListed = listed !== undefined && priceToRatios(listed) !== undefined;
  const completionRatio = lookUp(options.ratios("CompletionRatio"), model, type);
  return withSteps(listed, ownRatios(model, listed, ownModelRatio, completionRatio), {
    unit: unitOf(endpoint, model, listed),
    groupRatio,
    source: ownModelRatio !== undefined ? "option" : isListed ? "list" : "fallback",
  });
}

/** An option sets the model ratio for every length. */
function withSteps(
  listed: ModelPrice | undefined,
  own: OwnRatios,
  terms: Pick<Price, "unit" | "groupRatio" | "source">,
): Price {
  const ratios = listed && priceToRatios(listed);
  const rest = { ...terms, ...(listed?.tiers && { tiers: listed.tiers }) };
  const price = { ...toPrice(ratios, own), ...rest };
  if (ratios?.steps === undefined || own.modelRatio !== undefined) return price;
  return {
    ...price,
    steps: ratios.steps.map((step) => ({ above: step.above, price: { ...toPrice(step, own), ...rest } })),
  };
}

function unitOf(endpoint: Endpoint | undefined, model: string, listed: ModelPrice | undefined): PriceUnit {
  return endpoint === undefined ? usualUnit(model, listed) : priceUnit(endpoint, model, listed);
}

interface OwnRatios {
  readonly modelRatio: number | undefined;
  readonly completionRatio: number | undefined;
  readonly longCacheFactor: number;
}

function ownRatios(
  model: string,
  listed: ModelPrice | undefined,
  modelRatio?: number,
  completionRatio?: number,
): OwnRatios {
  return { modelRatio, completionRatio, longCacheFactor: longCacheFactor(model, listed) };
}

function longCacheFactor(model: string, listed: ModelPrice | undefined): number {
  const isOpenAi = OPENAI_MODEL.test(model) && listed?.cacheWrite !== undefined;
  return isOpenAi ? LONG_CACHE_FACTORS.openAi : LONG_CACHE_FACTORS.claude;
}

function toPrice(
  listed: TokenRatios | undefined,
  own: OwnRatios,
): Omit<PriceStep["price"], "unit" | "groupRatio" | "source"> {
  const completionRatio = own.completionRatio ?? Number(listed?.completionRatio ?? 1);
  const audioRatio = Number(listed?.audioRatio ?? 1);
  const cacheWriteRatio = Number(listed?.cacheWriteRatio ?? 1);
  return {
    modelRatio: own.modelRatio ?? Number(listed?.modelRatio ?? UNKNOWN_MODEL_RATIO),
    completionRatio,
    cachedRatio: Number(listed?.cachedRatio ?? 1),
    cacheWriteRatio,
    longCacheWriteRatio: Number(listed?.longCacheWriteRatio ?? cacheWriteRatio * own.longCacheFactor),
    audioRatio,
    cachedAudioRatio: Number(listed?.cachedAudioRatio ?? audioRatio),
    audioCompletionRatio: Number(listed?.audioCompletionRatio ?? completionRatio),
    imageRatio: Number(listed?.imageRatio ?? 1),
    imageCompletionRatio: Number(listed?.imageCompletionRatio ?? completionRatio),
    reasoningRatio: own.completionRatio ?? Number(listed?.reasoningRatio ?? completionRatio),
  };
}

/** True if requests for models without a known price are refused. */
export function refusesUnpriced(options: Pick<OptionStore, "text">): boolean {
  return options.text("UnpricedModels") !== "fallback";
}

/** Time in ms until which all prices stay the same. */
export function pricesHoldUntil(options: Pick<OptionStore, "prices">, nowMs: number): number {
  return Math.min(nextStart(options.prices("ModelPrices"), nowMs), listHoldsUntil(nowMs));
}

const DOLLARS_AT_RATIO_ONE = 2;

/** Operator's cost: the channel's own price, else the list's. Options do not apply. A factor on the list's price replaces the group ratio. */
export function costOfModel(
  model: string,
  type: ChannelType,
  costs: ChannelCosts,
  endpoint?: Endpoint,
): Price | undefined {
  const listed = defaultPrice(model, type);
  const unit = unitOf(endpoint, model, listed);
  const own = Object.hasOwn(costs, model) ? costs[model] : costs["*"];
  if (own !== undefined && "input" in own) {
    const { input, output } = own;
    const ratios = ownRatios(model, listed, input / DOLLARS_AT_RATIO_ONE, input === 0 ? 1 : output / input);
    return { unit, ...toPrice(listed && priceToRatios(listed), ratios), groupRatio: 1, source: "option" };
  }
  if (listed === undefined || priceToRatios(listed) === undefined) return undefined;
  return withSteps(listed, ownRatios(model, listed), { unit, groupRatio: own?.factor ?? 1, source: "list" });
}

/** `name(type)` before `name`, as in One API's tables. */
function lookUp(table: RatioTable, model: string, type: ChannelType): number | undefined {
  return table.get(`${model}(${type})`) ?? table.get(model);
}
