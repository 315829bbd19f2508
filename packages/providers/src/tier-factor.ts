import type { PriceTier } from "@one-api/contract/prices/model-prices";
import { priceFactorOf } from "./protocols/anthropic-messages/usage.ts";
import { factorOfTier } from "./protocols/gemini/usage.ts";
import { mostOfTier, ownNameOf } from "./protocols/openai/service-tier.ts";
import { isRecord, type JsonRecord, textOf } from "./shared/json-fields.ts";
import { DEAREST_TIER_FACTOR } from "./shared/tiers.ts";

/**
 * Upper bound of the price factor of the requested tier, speed and place; the highest factor if the format's tiers are
 * unknown.
 */
export function mostTierFactor(formatName: string, asked: JsonRecord, model: string): number {
  if (formatName.startsWith("anthropic-")) return priceFactorOf(asked, model);
  const { service_tier: tier = null, ...others } = asked;
  return Math.max(priceFactorOf(others, model), tier === null ? 1 : factorOf(formatName, tier, model));
}

/** The name of the requested tier in a model's own prices; undefined for the usual and for unknown ones. */
export function ownTierIn({ service_tier: openAi, serviceTier: gemini }: JsonRecord): PriceTier | undefined {
  return ownNameOf(openAi ?? gemini);
}

function factorOf(formatName: string, tier: unknown, model: string): number {
  if (formatName.startsWith("openai-")) return mostOfTier({ service_tier: tier }, model);
  const isKnown = formatName.startsWith("gemini-") && !isRecord(tier);
  return isKnown ? Math.max(1, factorOfTier(textOf(tier))) : DEAREST_TIER_FACTOR;
}
