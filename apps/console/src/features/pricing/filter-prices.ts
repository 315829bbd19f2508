import { channelTypeInfo } from "@one-api/contract/channels/channel-types";
import type { OfferedPrice } from "@one-api/contract/prices/pricing";
import type { PricingFilters } from "./pricing-search.ts";

/** True if the channel type has the name in any language: an address may be opened in another language than it was made in. */
export function isNamed(type: number, name: string): boolean {
  const { label = String(type), labelZh } = channelTypeInfo(type) ?? {};
  return name === label || name === labelZh;
}

/** Returns the prices whose model contains the keyword and that pass every filter. */
export function filterPrices(
  prices: readonly OfferedPrice[],
  keyword: string,
  { provider, ability, context, price: most }: PricingFilters,
): OfferedPrice[] {
  const text = keyword.toLowerCase();
  return prices.filter(
    ({ model, types, abilities, context_tokens: tokens, unit_price: unitPrice, input }) =>
      model.toLowerCase().includes(text) &&
      (provider === undefined || types.some((type) => isNamed(type, provider))) &&
      (ability === undefined || abilities.includes(ability)) &&
      (context === undefined || (tokens ?? 0) >= context) &&
      (most === undefined || (unitPrice === undefined && input <= most)),
  );
}
