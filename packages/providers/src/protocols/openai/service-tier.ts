import type { PriceTier } from "@one-api/contract/prices/model-prices";
import { recordOf, textOf } from "../../shared/json-fields.ts";
import { DEAREST_TIER_FACTOR } from "../../shared/tiers.ts";
import { TOOL_FEES } from "../../shared/tool-fees.ts";
import { NO_USAGE, type Usage } from "../../usage.ts";

type Tier = "usual" | "flex" | "fast" | "ultrafast";

/**
 * Tiers with a known price. `scale` is OpenAI's prepaid capacity, `on_demand` Groq's usual tier.
 * Sources: https://developers.openai.com/api/docs/guides/ultrafast-mode, https://console.groq.com/docs/service-tiers
 */
const TIERS: ReadonlyMap<string, Tier> = new Map([
  ["auto", "usual"],
  ["default", "usual"],
  ["standard", "usual"],
  ["scale", "usual"],
  ["on_demand", "usual"],
  ["flex", "flex"],
  ["priority", "fast"],
  ["fast", "fast"],
  ["ultrafast", "ultrafast"],
]);

/** Names under which a model's own prices have the tiers. */
const OWN_NAMES: Readonly<Partial<Record<Tier, PriceTier>>> = {
  flex: "flex",
  fast: "priority",
  ultrafast: "ultrafast",
};

/** The name of a tier in a model's own prices; undefined for the usual and for unknown ones. */
export function ownNameOf(tier: unknown): PriceTier | undefined {
  const kind = typeof tier === "string" ? TIERS.get(tier.toLowerCase()) : undefined;
  return kind && OWN_NAMES[kind];
}

interface TierPrices {
  readonly models: RegExp;
  readonly fast: number;
  readonly flex: number;
  /** Absent: the highest factor of all. */
  readonly ultrafast?: (now: Date) => number;
}

/**
 * GPT-6.2 Sol costs half in ultrafast until the end of February 2027, Pacific time. Source:
 * https://developers.openai.com/api/docs/models/gpt-6.2-sol
 */
const SOL_OFFER_ENDS = Date.UTC(2027, 2, 1, 8);
const solUltrafast = (now: Date): number => (now.getTime() < SOL_OFFER_ENDS ? 3 : DEAREST_TIER_FACTOR);

/**
 * OpenAI's models; the first match wins. Models after GPT-6.1 have no flex tier. Sources:
 * https://openai.com/api-fast-mode/, https://developers.openai.com/api/docs/guides/flex-processing,
 * https://developers.openai.com/api/docs/models (November 2026)
 */
const OPENAI_TIERS: readonly TierPrices[] = [
  { models: /^gpt-4\.1/, fast: 1.75, flex: 1 },
  { models: /^(?:o3|o4-mini)/, fast: 1.75, flex: 0.5 },
  { models: /^gpt-4o/, fast: 1.7, flex: 1 },
  { models: /^gpt-5-mini/, fast: 1.8, flex: 0.5 },
  { models: /^gpt-5(?:\.[0-46])?(?:-|$)/, fast: 2, flex: 0.5 },
  { models: /^gpt-6\.2-sol/, fast: 2, flex: 1, ultrafast: solUltrafast },
  { models: /^gpt-6\.2-/, fast: 2, flex: 1 },
  { models: /^gpt-6(?:\.1)?-(?:astra|sol|luna)/, fast: 2, flex: 0.5 },
  { models: /^gpt-5/, fast: 2.5, flex: 0.5 },
];
/**
 * Factors for other models, whose prices are unknown: the highest for fast, the full price for flex, as Groq has it
 * (https://console.groq.com/docs/flex-processing).
 */
const UNKNOWN_TIERS: TierPrices = { models: /^/, fast: 2.5, flex: 1 };

const OPENAI_MODELS = /^(?:openai\/)?(?:ft:)?(?:gpt-|chatgpt-|o\d|text-embedding-|davinci|babbage|omni-moderation)/;

/**
 * Price factor of a batch: half for OpenAI's models; for others unknown. Source:
 * https://platform.openai.com/docs/guides/batch
 */
export function factorOfBatch(model: string): number {
  return OPENAI_MODELS.test(model) ? 0.5 : 1;
}

/** Price factor of a tier. Unknown tiers are charged at the highest factor. */
function factorOfTier(tier: unknown, model: string, now: Date): number {
  const kind = typeof tier === "string" ? TIERS.get(tier.toLowerCase()) : undefined;
  if (kind === "usual") return 1;
  if (kind === undefined) return DEAREST_TIER_FACTOR;
  const name = model.replace(/^openai\//, "");
  const prices = OPENAI_TIERS.find(({ models }) => models.test(name)) ?? UNKNOWN_TIERS;
  return kind === "ultrafast" ? (prices.ultrafast?.(now) ?? DEAREST_TIER_FACTOR) : prices[kind];
}

function isNamed(tier: unknown): boolean {
  return tier !== undefined && tier !== null && tier !== "" && tier !== "auto";
}

/** Upper bound of a request's price factor. At least 1, because the usual tier may serve the request. */
export function mostOfTier(request: unknown, model: string, now = new Date()): number {
  const { service_tier: tier } = recordOf(request);
  return isNamed(tier) ? Math.max(1, factorOfTier(tier, model, now)) : 1;
}

export type NamedTier = Pick<Usage, "priceFactor" | "namesTier" | "tier">;

/** Tier of an answer or event; undefined without one. Mistral puts it into the usage. */
export function readTier(answer: unknown, now = new Date()): NamedTier | undefined {
  const { service_tier: tier, usage, model } = recordOf(answer);
  const named = isNamed(tier) ? tier : recordOf(usage).service_tier;
  if (!isNamed(named)) return undefined;
  const ownName = ownNameOf(named);
  return { priceFactor: factorOfTier(named, textOf(model), now), namesTier: true, ...(ownName && { tier: ownName }) };
}

/** Fee of models that search the web for each answer. OpenRouter searches for names that end with `:online`. */
function feesOfModel(model: string): number {
  if (model.includes("-search-preview")) return TOOL_FEES.openAiSearchPreview;
  return model.includes("-search-api") || model.endsWith(":online") ? TOOL_FEES.openAiSearch : 0;
}

/** Adds the price factor of the tier and the fee of built-in search. `earlier`: the tier named by earlier events. */
export function atTier(usage: Usage | undefined, answer: unknown, earlier?: NamedTier): Usage | undefined {
  if (usage === undefined) return undefined;
  const tier = readTier(answer) ?? earlier;
  const fees = feesOfModel(textOf(recordOf(answer).model));
  if (tier === undefined && fees === 0) return usage;
  return { ...usage, ...tier, toolFees: Math.max(usage.toolFees, fees) };
}

/** Price of the delivered tokens of a stream without a report. */
export function tierBeside(tier: NamedTier | undefined): NamedTier {
  const { priceFactor, namesTier, tier: name } = tier ?? NO_USAGE;
  return { priceFactor, namesTier, ...(name && { tier: name }) };
}
