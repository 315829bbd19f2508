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
  readonly longCacheWrite?: string | undefined;
}

interface ListedGroup extends ListedPrices {
  readonly models: readonly string[];
  /** First day in UTC. Without one it holds until a later one begins. */
  readonly from?: string;
  readonly steps?: readonly (ListedPrices & { readonly above: number })[];
}

interface ListedVendor {
  readonly type: number;
  readonly source: string;
  readonly unitsPerDollar: string;
  /** The vendor makes the models: the price also holds at other providers whose own is unknown. */
  readonly byName?: boolean;
  readonly prices: readonly ListedGroup[];
}

interface DatedPrice {
  readonly fromMs: number;
  readonly price: ModelPrice;
}

const prices = new Map<string, DatedPrice[]>();

const vendors: readonly ListedVendor[] = vendorPrices;
for (const vendor of vendors) {
  for (const group of vendor.prices) {
    const dated = { fromMs: group.from === undefined ? 0 : Date.parse(group.from), price: toPrice(group, vendor) };
    for (const model of group.models) {
      add(keyOf(model, vendor.type), dated);
      if (vendor.byName === true) add(model.toLowerCase(), dated);
    }
  }
}

function add(key: string, dated: DatedPrice): void {
  prices.set(
    key,
    [...(prices.get(key) ?? []), dated].sort((left, right) => left.fromMs - right.fromMs),
  );
}

function toPrice(group: ListedGroup, { source, unitsPerDollar }: ListedVendor): ModelPrice {
  const steps = (group.steps ?? []).map((step) => ({ above: step.above, ...inDollars(step, unitsPerDollar) }));
  return { ...inDollars(group, unitsPerDollar), ...(steps.length > 0 && { steps }), source, simplified: [] };
}

/** Times in ms at which prices of vendors' pages begin. */
export const VENDOR_STARTS: readonly number[] = [
  ...new Set([...prices.values()].flat().flatMap(({ fromMs }) => (fromMs > 0 ? [fromMs] : []))),
];

/** Returns the models that a maker itself sells by this type, without those of resellers. */
export function makersModels(type: ChannelType): readonly string[] {
  const groups = vendors
    .filter((vendor) => vendor.type === type && vendor.byName === true)
    .flatMap((vendor) => vendor.prices);
  return [...new Set(groups.flatMap(({ models }) => models))];
}

/**
 * Returns the price by the vendor's own page or list, with cache and long prompts, for models that no maintained list has. Undefined for
 * unknown models; ignores case.
 */
export function vendorPrice(model: string, type: ChannelType, now: Date): ModelPrice | undefined {
  return priceAt(keyOf(model, type), now);
}

/** Returns the price of a model by its maker, also for names such as `openai/gpt-6.2-sol`. */
export function makersPrice(model: string, now: Date): ModelPrice | undefined {
  return priceAt(model.slice(model.lastIndexOf("/") + 1).toLowerCase(), now);
}

function priceAt(key: string, now: Date): ModelPrice | undefined {
  return prices.get(key)?.findLast(({ fromMs }) => fromMs <= now.getTime())?.price;
}

function keyOf(model: string, type: number): string {
  return `${type} ${model.toLowerCase()}`;
}

function inDollars(listed: ListedPrices, unitsPerDollar: Decimal): TokenPrices {
  const { cachedInput, cacheWrite, longCacheWrite } = listed;
  return {
    input: divideDecimals(listed.input, unitsPerDollar),
    output: divideDecimals(listed.output, unitsPerDollar),
    ...(cachedInput !== undefined && { cachedInput: divideDecimals(cachedInput, unitsPerDollar) }),
    ...(cacheWrite !== undefined && { cacheWrite: divideDecimals(cacheWrite, unitsPerDollar) }),
    ...(longCacheWrite !== undefined && { longCacheWrite: divideDecimals(longCacheWrite, unitsPerDollar) }),
  };
}
