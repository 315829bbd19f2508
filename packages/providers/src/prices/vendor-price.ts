import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { type Decimal, divideDecimals } from "./decimal.ts";
import type { ModelPrice, TokenPrices } from "./price-to-ratios.ts";
import vendorPrices from "./vendor-prices.json" with { type: "json" };

/** What a million tokens cost, as the source has it, in its currency. */
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
 * What a model costs at the vendor behind that type of channel, with its cache and its long prompts, where no kept list has it: by the
 * vendor's page, as lists copy it that cite it, or by a list of that vendor's prices; undefined where the table does not know it. Names
 * are compared without case.
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
