import { recordOf, textOf } from "../../shared/json-fields.ts";
import { TOOL_FEES } from "../../shared/tool-fees.ts";
import type { Usage } from "../../usage.ts";

/** Tiers that cost more, under both of their names. */
const FAST_TIERS: ReadonlySet<unknown> = new Set(["priority", "fast"]);
/** The tier that costs less. */
const FLEX_TIER = "flex";

/** What a family of models costs in other tiers than the usual one, as multiples of its price. */
interface TierPrices {
  readonly models: RegExp;
  readonly fast: number;
  readonly flex: number;
}

/**
 * OpenAI's models, the first that fits. Sources: https://openai.com/api-fast-mode/,
 * https://developers.openai.com/api/docs/guides/flex-processing, https://developers.openai.com/api/docs/models/gpt-6-luna (November 2026)
 */
const OPENAI_TIERS: readonly TierPrices[] = [
  { models: /^gpt-4\.1/, fast: 1.75, flex: 1 },
  { models: /^(?:o3|o4-mini)/, fast: 1.75, flex: 0.5 },
  { models: /^gpt-4o/, fast: 1.7, flex: 1 },
  { models: /^gpt-5-mini/, fast: 1.8, flex: 0.5 },
  { models: /^gpt-5(?:\.[0-46])?(?:-|$)/, fast: 2, flex: 0.5 },
  { models: /^gpt-6-(?:sol|luna)/, fast: 2, flex: 0.5 },
  { models: /^gpt-[5-9]/, fast: 2.5, flex: 0.5 },
];
/** Of others nobody here knows: the most of all for speed, and nothing off for waiting, as Groq has it (https://console.groq.com/docs/flex-processing). */
const UNKNOWN_TIERS: TierPrices = { models: /^/, fast: 2.5, flex: 1 };

/** Models that OpenAI makes, its customers' own among them. */
const OPENAI_MODELS = /^(?:openai\/)?(?:ft:)?(?:gpt-|chatgpt-|o\d|text-embedding-|davinci|babbage|omni-moderation)/;

/**
 * What a batch multiplies the price of a model by: half of it is OpenAI's price; of others nobody here knows. Source:
 * https://platform.openai.com/docs/guides/batch
 */
export function factorOfBatch(model: string): number {
  return OPENAI_MODELS.test(model) ? 0.5 : 1;
}

/** What an answer's tier multiplies the price of its tokens by. */
export function factorOfTier(answer: unknown): number {
  const { service_tier: tier, model } = recordOf(answer);
  const isFast = FAST_TIERS.has(tier);
  if (!isFast && tier !== FLEX_TIER) return 1;
  const name = textOf(model).replace(/^openai\//, "");
  const prices = OPENAI_TIERS.find(({ models }) => models.test(name)) ?? UNKNOWN_TIERS;
  return isFast ? prices.fast : prices.flex;
}

/** The most that a request's tier can multiply the price by; it may be answered in the usual one instead of a cheaper. */
export function mostOfTier(request: unknown): number {
  return FAST_TIERS.has(recordOf(request).service_tier) ? UNKNOWN_TIERS.fast : 1;
}

/** Models that search the web for each answer, and what that costs. */
function feesOfModel(model: string): number {
  if (model.includes("-search-preview")) return TOOL_FEES.openAiSearchPreview;
  return model.includes("-search-api") ? TOOL_FEES.openAiSearch : 0;
}

/** The same usage at the price of the answer's tier, with what a model costs that searches by itself. */
export function atTier<Reported extends Pick<Usage, "priceFactor" | "toolFees">>(
  usage: Reported | undefined,
  answer: unknown,
): Reported | undefined {
  if (usage === undefined) return undefined;
  const priceFactor = factorOfTier(answer);
  const toolFees = feesOfModel(textOf(recordOf(answer).model));
  return priceFactor === 1 && toolFees === 0 ? usage : { ...usage, priceFactor, toolFees };
}
