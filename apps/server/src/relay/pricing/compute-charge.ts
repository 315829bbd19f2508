import { UNKNOWN_COST } from "@one-api/ledger/ledger";
import type { Usage } from "@one-api/providers/usage";
import type { UsageCharge } from "../../features/logs/index.ts";
import { productOf } from "./charge-product.ts";
import { findTerms, quotaOfDollars, ROUNDING_QUOTA, type Terms } from "./charge-terms.ts";
import type { Price, PriceStep } from "./price-model.ts";

/** The step that the prompt reaches; undefined for none. */
export function stepAt({ steps }: Price, promptTokens: number): PriceStep | undefined {
  return steps?.findLast(({ above }) => promptTokens > above);
}

/**
 * ceil((input + output x completion ratio) x model ratio x group ratio), in quota. Never throws.
 * Other kinds of tokens have their own ratios. The minimum is the reported cost x group ratio.
 */
export function computeCharge(usage: Usage, price: Price): number {
  const reached = stepAt(price, usage.promptTokens)?.price ?? price;
  return productOf(findTerms(usage, reached), reached);
}

/** Operator's cost of an answer, in quota, rounded up: as reported, else by price; `UNKNOWN_COST` without both. Never throws. */
export function computeCost(usage: Usage, price: Price | undefined): number {
  if (usage.providerDollars > 0) return Math.ceil(quotaOfDollars(usage.providerDollars) - ROUNDING_QUOTA);
  return price === undefined ? UNKNOWN_COST : computeCharge(usage, price);
}

/** Terms of a charge for the log, from which it can be recomputed. */
export function toUsageCharge(usage: Usage, prices: Price, rule: UsageCharge["rule"]): UsageCharge {
  const step = stepAt(prices, usage.promptTokens);
  const price = step?.price ?? prices;
  const about = step === undefined ? { rule } : { rule, long_above: step.above };
  return describeCharge(findTerms(usage, price), price, about);
}

export function describeCharge(
  all: Terms,
  price: PriceStep["price"],
  about: Pick<UsageCharge, "rule" | "long_above">,
): UsageCharge {
  const terms: UsageCharge["terms"] = [];
  for (let index = 0; index < all.length; index += 1)
    terms.push([all.kind(index), all.tokens(index), all.ratio(index)]);
  return {
    ...about,
    source: price.source,
    model_ratio: price.modelRatio,
    group_ratio: price.groupRatio,
    completion_ratio: price.completionRatio,
    terms,
  };
}
