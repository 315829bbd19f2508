import type { OfferedPrice } from "@one-api/contract/pricing";
import { modelFacts } from "@one-api/providers/models/model-facts";
import { providerOf } from "@one-api/providers/registry";
import type { ChannelForRelay } from "../../features/channels/index.ts";
import type { ListPrices } from "../../features/pricing/index.ts";
import type { RelayDependencies } from "../relay-dependencies.ts";
import { SEARCH_QUOTA } from "./compute-charge.ts";
import { type Price, priceModel } from "./price-model.ts";

const TOKENS_PER_PRICE = 1_000_000;
/** Anthropic itself reports searches of the web, which are charged. */
const SEARCHING_TYPE = 14;
const DIGITS = 12;

/** Builds the answer to "what does each model cost this caller", from the very prices that requests are charged with. */
export function createListPrices({ channels, options }: Pick<RelayDependencies, "channels" | "options">): ListPrices {
  return async (groups) => {
    const snapshot = await channels.snapshot();
    const groupOf = new Map<string, string>();
    for (const group of groups)
      for (const model of snapshot.modelsOf(group)) if (!groupOf.has(model)) groupOf.set(model, group);
    const quotaPerUnit = options.number("QuotaPerUnit");
    return [...groupOf]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .flatMap(([model, group]) => {
        const offers = new Map<string, OfferedPrice>();
        for (const channel of snapshot.serving(group, model)) {
          if (providerOf(channel.type) === undefined) continue;
          const offer = offerOf(model, group, channel, priceOver(channel, model, group), quotaPerUnit);
          const key = JSON.stringify({ ...offer, types: [] });
          const same = offers.get(key);
          if (same === undefined) offers.set(key, offer);
          else if (!same.types.includes(channel.type)) same.types.push(channel.type);
        }
        return [...offers.values()];
      });
  };

  function priceOver(channel: ChannelForRelay, model: string, group: string): Price {
    return priceModel(options, channel.modelMapping.get(model) ?? model, channel.type, group);
  }
}

function offerOf(
  model: string,
  group: string,
  { type }: ChannelForRelay,
  price: Price,
  quotaPerUnit: number,
): OfferedPrice {
  const perQuota = price.groupRatio / quotaPerUnit;
  const dollars = (quota: number) => Number((quota * perQuota).toPrecision(DIGITS));
  const perMillion = (ratio: number) => dollars(price.modelRatio * ratio * TOKENS_PER_PRICE);
  const unless = (ratio: number, usual: number) => (ratio === usual ? null : perMillion(ratio));
  const { completionRatio, audioRatio } = price;
  const { contextTokens, maxOutputTokens, abilities } = modelFacts(model);
  return {
    model,
    types: [type],
    group,
    group_ratio: price.groupRatio,
    input: perMillion(1),
    output: perMillion(completionRatio),
    cached_input: unless(price.cachedRatio, 1),
    cache_write: unless(price.cacheWriteRatio, 1),
    audio_input: unless(audioRatio, 1),
    audio_output: unless(price.audioCompletionRatio, completionRatio),
    image_input: unless(price.imageRatio, 1),
    reasoning: unless(price.reasoningRatio, completionRatio),
    web_search: type === SEARCHING_TYPE ? dollars(SEARCH_QUOTA) : null,
    context_tokens: contextTokens ?? null,
    max_output_tokens: maxOutputTokens ?? null,
    abilities: [...abilities],
  };
}
