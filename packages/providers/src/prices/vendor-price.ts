import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { type Decimal, divideDecimals } from "./decimal.ts";
import type { ModelPrice, TokenPrices } from "./price-to-ratios.ts";
import vendorPrices from "./vendor-prices.json" with { type: "json" };

/** Prices of a million tokens, in the source's currency. */
interface ListedPrices {
  readonly input: string;
  readonly output: string;
  readonly cachedInput?: string | undefined;
  readonly cacheWrite?: string | undefined;
}

const prices = new Map<string, ModelPrice>(
  vendorPrices.flatMap(({ type, source, unitsPerDollar, prices: groups }) =>
    groups.flatMap((group) => {
      const steps = (("steps" in group && group.steps) || []).map((step) => ({
        above: step.above,
        ...inDollars(step, unitsPerDollar),
      }));
      const price: ModelPrice = {
        ...inDollars(group, unitsPerDollar),
        ...(steps.length > 0 && { steps }),
        source,
        simplified: [],
      };
      return group.models.map((model) => [keyOf(model, type), price] as const);
    }),
  ),
);

/**
 * Returns the price by the vendor's own page or list, with cache and long prompts, for models that no maintained list has. Undefined for
 * unknown models; ignores case.
 */
export function vendorPrice(model: string, type: ChannelType): ModelPrice | undefined {
  return prices.get(keyOf(model, type));
}

function keyOf(model: string, type: number): string {
  return `${type} ${model.toLowerCase()}`;
}

function inDollars(listed: ListedPrices, unitsPerDollar: Decimal): TokenPrices {
  const { cachedInput, cacheWrite } = listed;
  return {
    input: divideDecimals(listed.input, unitsPerDollar),
    output: divideDecimals(listed.output, unitsPerDollar),
    ...(cachedInput !== undefined && { cachedInput: divideDecimals(cachedInput, unitsPerDollar) }),
    ...(cacheWrite !== undefined && { cacheWrite: divideDecimals(cacheWrite, unitsPerDollar) }),
  };
}
