import { setImmediate as nextTurn } from "node:timers/promises";
import { DEFAULT_CHANNEL_TYPE, isChannelType } from "@one-api/contract/channels/channel-types";
import { type OfferedPrice } from "@one-api/contract/prices/pricing";
import { quotaOfUnit } from "@one-api/contract/prices/price-unit";
import { modelFacts } from "@one-api/providers/model-facts/model-facts";
import { providerOf } from "@one-api/providers/registry";
import { TOOL_FEES } from "@one-api/providers/shared/tool-fees";
import type { ChannelForRelay } from "../../features/channels/index.ts";
import { modelsOf } from "../../features/model-aliases/index.ts";
import type { FindRefused, FindUnpriced, ListPrices, PriceOf } from "../../features/pricing/index.ts";
import type { ChannelSnapshot } from "./channel-snapshot.ts";
import {
  FEE_QUOTA,
  type Price,
  priceModel,
  type PriceOptions as RatioOptions,
  pricesHoldUntil,
  type PriceStep,
  refusesUnpriced,
} from "../pricing/index.ts";
import type { RoutingServices } from "./routing-services.ts";
import type { OptionStore, RatioTable } from "../../core/option-store.ts";

const TOKENS_PER_PRICE = 1_000_000;
const SEARCHING_TYPE = 14;
const DIGITS = 12;

/** Work before other requests run, in ms: an unlisted name takes milliseconds to look up. */
const TURN_MS = 5;
const MODELS_PER_SLICE = 5;
/** Combinations of groups whose prices are cached. */
const MAX_REMEMBERED = 100;

interface KnownPrices {
  readonly basis: readonly unknown[];
  readonly byGroups: Map<string, Promise<OfferedPrice[]>>;
}

interface PriceOptions {
  readonly options: RatioOptions & Pick<OptionStore, "number" | "text">;
}

/** Builds the list of prices for a caller, from the prices that requests are charged with. */
export function createListPrices({
  channels,
  options,
  clock,
}: Pick<RoutingServices, "channels" | "clock"> & PriceOptions): ListPrices {
  let known: KnownPrices = { basis: [], byGroups: new Map() };
  return async (groups) => {
    const snapshot = await channels.snapshot();
    const tables = [options.ratios("ModelRatio"), options.ratios("CompletionRatio"), options.ratios("GroupRatio")];
    const holdUntil = pricesHoldUntil(options, clock.nowMs());
    const basis = [
      snapshot,
      ...tables,
      options.prices("ModelPrices"),
      options.number("QuotaPerUnit"),
      refusesUnpriced(options),
      holdUntil,
    ];
    const isFresh = basis.every((part, index) => part === known.basis[index]);
    if (!isFresh || known.byGroups.size >= MAX_REMEMBERED) known = { basis, byGroups: new Map() };
    const { byGroups } = known;
    const name = groups.join();
    const prices = byGroups.get(name) ?? priceAll(snapshot, groups);
    byGroups.set(name, prices);
    prices.catch(() => byGroups.delete(name));
    return prices;
  };

  async function priceAll(snapshot: ChannelSnapshot, groups: readonly string[]): Promise<OfferedPrice[]> {
    const groupOf = new Map<string, string>();
    for (const group of groups)
      for (const model of snapshot.modelsOf(group)) if (!groupOf.has(model)) groupOf.set(model, group);
    const prices: OfferedPrice[] = [];
    const now = new Date(clock.nowMs());
    let turnStartedMs = clock.monotonicMs();
    for (const [model, group] of [...groupOf].sort(([left], [right]) => (left < right ? -1 : 1))) {
      prices.push(...offersOf(model, group, snapshot.serving(group, model), options, now));
      if (clock.monotonicMs() - turnStartedMs < TURN_MS) continue;
      await nextTurn();
      turnStartedMs = clock.monotonicMs();
    }
    return prices;
  }
}

/** Builds the search for models without a known price on channels of a type. */
export function createFindUnpriced({ options }: PriceOptions): FindUnpriced {
  return async (models, type) => {
    if (!isChannelType(type)) return [];
    const unpriced: string[] = [];
    for (const [index, model] of models.entries()) {
      if (index % MODELS_PER_SLICE === 0) await nextTurn();
      if (priceModel(options, { model, type, group: "" }).source === "fallback") unpriced.push(model);
    }
    return unpriced;
  };
}

type RefusedParts = Pick<RoutingServices, "channels" | "aliases" | "clock"> & { readonly options: RatioOptions };

/** Builds the search for names of models and aliases whose requests are refused for want of a price. */
export function createFindRefused({ channels, aliases, options, clock }: RefusedParts): FindRefused {
  return async (names) => {
    const snapshot = await channels.snapshot();
    const at = new Date(clock.nowMs());
    const isUnpriced = (model: string, { type }: ChannelForRelay) =>
      priceModel(options, { model, type, group: "", at }).source === "fallback";
    const found = new Map<string, string>();
    for (const name of names) {
      // An unlisted name takes milliseconds to look up.
      await nextTurn();
      const alias = aliases.find(name);
      for (const model of alias === undefined ? [name] : modelsOf(alias)) {
        const priceOf = missingPrice(snapshot, model, isUnpriced);
        if (priceOf !== undefined) found.set(name, found.get(name) ?? priceOf);
      }
    }
    return found;
  };
}

/** Returns the upstream model whose price is missing, if a group has no other channel for the model. */
function missingPrice(
  snapshot: ChannelSnapshot,
  model: string,
  isUnpriced: (upstreamModel: string, channel: ChannelForRelay) => boolean,
): string | undefined {
  const upstreamOf = ({ modelMapping }: ChannelForRelay) => modelMapping.get(model) ?? model;
  const serving = [...snapshot.serving("", model), ...snapshot.servingOthers("", model)];
  const priced = serving.filter((channel) => !isUnpriced(upstreamOf(channel), channel));
  const pricedGroups = new Set(priced.flatMap(({ groups }) => groups));
  const refused = serving.find(({ groups }) => groups.some((group) => !pricedGroups.has(group)));
  return refused && upstreamOf(refused);
}

/** Builds the lookup of the price of a model at a time, by the options or by others, for a group of ratio 1. */
export function createPriceOf(options: RatioOptions): PriceOf {
  return ({ model, type = DEFAULT_CHANNEL_TYPE, atMs }, own) => {
    const tables: Readonly<Record<string, RatioTable>> = {
      ModelRatio: own?.modelRatios ?? options.ratios("ModelRatio"),
      CompletionRatio: own?.completionRatios ?? options.ratios("CompletionRatio"),
    };
    const prices = own?.modelPrices ?? options.prices("ModelPrices");
    const wanted = { ratios: (key: string) => tables[key] ?? NO_RATIOS, prices: () => prices };
    return priceModel(wanted, { model, type, group: "", at: new Date(atMs) });
  };
}

const NO_RATIOS: RatioTable = new Map();

/** Returns the different prices of a model over the channels that serve it, one for each channel type and upstream model. */
function offersOf(
  model: string,
  group: string,
  channels: readonly ChannelForRelay[],
  options: PriceOptions["options"],
  now: Date,
): OfferedPrice[] {
  const seen = new Set<string>();
  const offers = new Map<string, OfferedPrice>();
  for (const { type, modelMapping } of channels) {
    const upstreamModel = modelMapping.get(model) ?? model;
    const way = `${type} ${upstreamModel}`;
    if (seen.has(way) || providerOf(type) === undefined) continue;
    seen.add(way);
    const price = priceModel(options, { model: upstreamModel, type, group, at: now });
    // Such a model cannot be called.
    if (price.source === "fallback" && refusesUnpriced(options)) continue;
    const offer = offerOf({ model, group, type }, price, options.number("QuotaPerUnit"));
    const key = JSON.stringify({ ...offer, types: [] });
    const same = offers.get(key);
    if (same === undefined) offers.set(key, offer);
    else if (!same.types.includes(type)) same.types.push(type);
  }
  return [...offers.values()];
}

interface Offered {
  readonly model: string;
  readonly group: string;
  readonly type: ChannelForRelay["type"];
}

function offerOf({ model, group, type }: Offered, price: Price, quotaPerUnit: number): OfferedPrice {
  const perQuota = price.groupRatio / quotaPerUnit;
  const dollars = (quota: number) => Number((quota * perQuota).toPrecision(DIGITS));
  const perMillion = (ratio: number) => dollars(price.modelRatio * ratio * TOKENS_PER_PRICE);
  const longPrompt = ({ above, price: { modelRatio, completionRatio: output } }: PriceStep) => ({
    above,
    input: dollars(modelRatio * TOKENS_PER_PRICE),
    output: dollars(modelRatio * output * TOKENS_PER_PRICE),
  });
  const unless = (ratio: number, usual: number) => (ratio === usual ? null : perMillion(ratio));
  const { completionRatio, audioRatio } = price;
  const { steps = [], tiers } = price;
  const [step] = steps;
  const { contextTokens, maxOutputTokens, abilities, isInputOnly } = modelFacts(model);
  return {
    model,
    types: [type],
    group,
    group_ratio: price.groupRatio,
    input: perMillion(1),
    output: perMillion(completionRatio),
    ...(price.unit !== "token" && {
      unit_price: { unit: price.unit, dollars: dollars(quotaOfUnit(price.unit, price.modelRatio)) },
    }),
    cached_input: unless(price.cachedRatio, 1),
    cache_write: unless(price.cacheWriteRatio, 1),
    audio_input: unless(audioRatio, 1),
    audio_output: unless(price.audioCompletionRatio, completionRatio),
    image_input: unless(price.imageRatio, 1),
    image_output: unless(price.imageCompletionRatio, completionRatio),
    reasoning: unless(price.reasoningRatio, completionRatio),
    long_prompt: step === undefined ? null : longPrompt(step),
    ...(steps.length > 1 && { long_prompts: steps.map(longPrompt) }),
    ...(tiers && { tiers }),
    web_search: type === SEARCHING_TYPE ? dollars(FEE_QUOTA * TOOL_FEES.claudeSearch) : null,
    context_tokens: contextTokens ?? null,
    max_output_tokens: maxOutputTokens ?? null,
    abilities: [...abilities],
    ...(price.source === "fallback" && { is_unpriced: true }),
    ...(isInputOnly && { input_only: true }),
  };
}
