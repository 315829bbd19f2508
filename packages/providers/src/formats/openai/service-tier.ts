import { recordOf, textOf } from "../../shared/json-fields.ts";

/** Tiers that cost more, under both of their names. */
const FAST_TIERS: ReadonlySet<unknown> = new Set(["priority", "fast"]);

/** What they cost more by model, the first that fits; a model that is not known costs the most of all. */
const FACTORS: readonly (readonly [RegExp, number])[] = [
  [/^(?:gpt-4\.1|o3|o4-mini)/, 1.75],
  [/^gpt-4o/, 1.7],
  [/^gpt-5-mini/, 1.8],
  [/^gpt-5(?:\.[0-4])?(?:-|$)/, 2],
];
const DEAREST_FACTOR = 2.5;

/** What an answer's tier multiplies the price of its tokens by. Source: https://openai.com/api-fast-mode/ */
export function factorOfTier(answer: unknown): number {
  const { service_tier: tier, model } = recordOf(answer);
  if (!FAST_TIERS.has(tier)) return 1;
  const name = textOf(model).replace(/^openai\//, "");
  return FACTORS.find(([family]) => family.test(name))?.[1] ?? DEAREST_FACTOR;
}

/** The most that a request's tier can multiply the price by. */
export function mostOfTier(request: unknown): number {
  return FAST_TIERS.has(recordOf(request).service_tier) ? DEAREST_FACTOR : 1;
}

/** The same usage at the price of the answer's tier. */
export function atTier<Reported extends { readonly priceFactor: number }>(
  usage: Reported | undefined,
  answer: unknown,
): Reported | undefined {
  const priceFactor = factorOfTier(answer);
  return usage === undefined || priceFactor === 1 ? usage : { ...usage, priceFactor };
}
