import { recordOf, textOf } from "../../shared/json-fields.ts";
import { DEAREST_TIER_FACTOR } from "../../shared/tiers.ts";
import { TOOL_FEES } from "../../shared/tool-fees.ts";
import { NO_USAGE, type Usage } from "../../usage.ts";

type Tier = "usual" | "flex" | "fast" | "ultrafast";

/**
 * Every tier with a known price, by its names. `scale` and `on_demand` are OpenAI's prepaid capacity and Groq's usual tier.
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

/** What a family of models costs in other tiers than the usual one, as multiples of its price. */
interface TierPrices {
  readonly models: RegExp;
  readonly fast: number;
  readonly flex: number;
  /** Absent: the dearest of all. */
  readonly ultrafast?: (now: Date) => number;
}

/** Ultrafast costs GPT-6.2 Sol half until the end of February 2027, Pacific time. Source: https://developers.openai.com/api/docs/models/gpt-6.2-sol */
const SOL_OFFER_ENDS = Date.UTC(2027, 2, 1, 8);
const solUltrafast = (now: Date): number => (now.getTime() < SOL_OFFER_ENDS ? 3 : DEAREST_TIER_FACTOR);

/**
 * OpenAI's models, the first that fits. No model after GPT-6.1 has the flex tier. Sources: https://openai.com/api-fast-mode/,
 * https://developers.openai.com/api/docs/guides/flex-processing, https://developers.openai.com/api/docs/models (November 2026)
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
/** The price of other models' tiers is not known: the dearest for speed, and the full price for flex, as Groq has it (https://console.groq.com/docs/flex-processing). */
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

/** What a tier multiplies the price of a model's tokens by. A tier that no table knows is charged as the dearest. */
function factorOfTier(tier: unknown, model: string, now: Date): number {
  const kind = typeof tier === "string" ? TIERS.get(tier.toLowerCase()) : undefined;
  if (kind === "usual") return 1;
  if (kind === undefined) return DEAREST_TIER_FACTOR;
  const name = model.replace(/^openai\//, "");
  const prices = OPENAI_TIERS.find(({ models }) => models.test(name)) ?? UNKNOWN_TIERS;
  return kind === "ultrafast" ? (prices.ultrafast?.(now) ?? DEAREST_TIER_FACTOR) : prices[kind];
}

/** True for a field that names a tier; `auto` leaves it to the provider. */
function isNamed(tier: unknown): boolean {
  return tier !== undefined && tier !== null && tier !== "" && tier !== "auto";
}

/** The most that a request's tier can multiply the price of a model by; it may be answered in the usual one instead of a cheaper. */
export function mostOfTier(request: unknown, model: string, now = new Date()): number {
  const { service_tier: tier } = recordOf(request);
  return isNamed(tier) ? Math.max(1, factorOfTier(tier, model, now)) : 1;
}

/** The tier that served an answer, as its price. */
export type NamedTier = Pick<Usage, "priceFactor" | "namesTier">;

/** What an answer or an event says of its tier; undefined where it names none. Mistral names it in the usage. */
export function readTier(answer: unknown, now = new Date()): NamedTier | undefined {
  const { service_tier: tier, usage, model } = recordOf(answer);
  const named = isNamed(tier) ? tier : recordOf(usage).service_tier;
  if (!isNamed(named)) return undefined;
  return { priceFactor: factorOfTier(named, textOf(model), now), namesTier: true };
}

/** Models that search the web for each answer, and what that costs. OpenRouter searches for a name that ends with `:online`. */
function feesOfModel(model: string): number {
  if (model.includes("-search-preview")) return TOOL_FEES.openAiSearchPreview;
  return model.includes("-search-api") || model.endsWith(":online") ? TOOL_FEES.openAiSearch : 0;
}

/** The usage at the price of the answer's tier, with what a model costs that searches by itself. `earlier`: the tier that earlier events have named. */
export function atTier(usage: Usage | undefined, answer: unknown, earlier?: NamedTier): Usage | undefined {
  if (usage === undefined) return undefined;
  const tier = readTier(answer) ?? earlier;
  const fees = feesOfModel(textOf(recordOf(answer).model));
  if (tier === undefined && fees === 0) return usage;
  return { ...usage, ...tier, toolFees: Math.max(usage.toolFees, fees) };
}

/** What a stream has delivered costs this much, by the tier that its events have named. */
export function tierBeside(tier: NamedTier | undefined): NamedTier {
  const { priceFactor, namesTier } = tier ?? NO_USAGE;
  return { priceFactor, namesTier };
}
