import { MODEL_ABILITIES, type ModelAbility } from "@one-api/contract/prices/pricing-constants";
import type { ListSearchState, RawSearch } from "../../lib/list/list-search.ts";
import { choiceOf, textOf } from "../../lib/values/read-values.ts";

/** Least context windows to choose from, in tokens. */
export const CONTEXTS = [32_000, 128_000, 200_000, 1_000_000] as const;

/** Highest input prices to choose from, in dollars per million tokens. */
export const PRICES = [0.5, 1, 3, 10] as const;

export interface PricingFilters {
  readonly provider?: string | undefined;
  readonly ability?: ModelAbility | undefined;
  /** Least context window, in tokens. */
  readonly context?: number | undefined;
  readonly price?: number | undefined;
}

export type PricingSearch = ListSearchState & PricingFilters & { readonly open?: string | undefined };

export function readPricingFilters({ provider, ability, context, price }: RawSearch): PricingFilters {
  return {
    provider: textOf(provider, { most: 64 }),
    ability: choiceOf(ability, MODEL_ABILITIES),
    context: choiceOf(Number(context), CONTEXTS),
    price: choiceOf(Number(price), PRICES),
  };
}
