import { splitList } from "@one-api/contract/texts";
import type { GatewayPrice, GatewayRules, SetPrices } from "../gateway-rules.ts";
import { objectOf } from "../old-row.ts";
import { type OldPrices, oldRatio } from "./old-prices.ts";
import type { OldProduct } from "../old-server.ts";
import type { ImportPlan } from "../plan-import.ts";

/** Models whose price differs in the same way. */
export interface PriceDifference {
  readonly text: string;
  readonly models: readonly string[];
}

interface Comparison {
  readonly plan: Pick<ImportPlan, "product" | "channels">;
  readonly prices: OldPrices;
  /** Ratios of the new server. */
  readonly ratios: SetPrices;
  readonly rules: Pick<GatewayRules, "priceOf">;
}

/** Compares the settings of prices for each model of the imported channels. */
export function comparePrices({ plan, prices, ratios, rules }: Comparison): PriceDifference[] {
  const found = new Map<string, Set<string>>();
  for (const { fields } of plan.channels) {
    const mapping = objectOf({ mapping: fields.model_mapping }, "mapping");
    for (const model of splitList(fields.models)) {
      const mapped = mapping[model];
      const upstreamModel = typeof mapped === "string" && mapped !== "" ? mapped : model;
      // One API prices the provider's model, as this product does; new-api prices the caller's.
      const pricedThere = plan.product === "One API" ? upstreamModel : model;
      const here = rules.priceOf(ratios, { model: upstreamModel, type: fields.type, group: "" });
      for (const text of differencesOf(readThere(plan.product, pricedThere, fields.type, prices), here))
        found.set(
          text,
          (found.get(text) ?? new Set()).add(upstreamModel === model ? model : `${model} (${upstreamModel})`),
        );
    }
  }
  return [...found].map(([text, models]) => ({ text, models: [...models] }));
}

/** Price by the settings of the old server; undefined for what only its program knows. */
interface SetPrice {
  readonly byExpression: boolean;
  readonly dollars: number | undefined;
  readonly model: number | undefined;
  readonly completion: number | undefined;
  readonly cached: number | undefined;
  readonly cacheWrite: number | undefined;
}

/** One API knows no cached tokens: they cost as much as all input. */
function readThere(product: OldProduct, model: string, type: number, prices: OldPrices): SetPrice {
  const known = {
    model: oldRatio(prices.modelRatios, model, type),
    completion: oldRatio(prices.completionRatios, model, type),
  };
  if (product === "One API") return { ...known, byExpression: false, dollars: undefined, cached: 1, cacheWrite: 1 };
  return {
    ...known,
    byExpression: prices.byExpression.has(model),
    dollars: prices.modelPrices.get(model),
    cached: prices.cacheRatios.get(model),
    cacheWrite: prices.cacheWriteRatios.get(model),
  };
}

function differencesOf(there: SetPrice, here: GatewayPrice): string[] {
  if (there.byExpression) return [`a price by an expression there, ${describe(here)} here`];
  if (there.dollars !== undefined) {
    const isHeld = (here.unit === "image" || here.unit === "request") && here.source === "option";
    return isHeld ? [] : [`$${there.dollars} for a request there, ${describe(here)} here`];
  }
  const differ = (what: string, ratio: number | undefined, own: number) =>
    ratio === undefined || Math.abs(ratio - own) < TOLERANCE ? [] : [`${what} ${ratio} there, ${own} here`];
  const ofModel =
    there.model === undefined && here.source !== "option"
      ? [`model ratio of the old program there (no setting has it), ${FALLBACKS[here.source]} here`]
      : differ("model ratio", there.model, here.modelRatio);
  if (here.unit !== "token") return ofModel;
  return [
    ...ofModel,
    ...differ("completion ratio", there.completion, here.completionRatio),
    ...differ("ratio of cached tokens", there.cached, here.cachedRatio),
    ...differ("ratio of cache writes", there.cacheWrite, here.cacheWriteRatio),
  ];
}

const TOLERANCE = 1e-6;
const FALLBACKS = {
  list: "the maintained list's price",
  fallback: "the price of unknown models ($60 a million)",
} as const;

function describe({ unit, source, modelRatio }: GatewayPrice): string {
  const from = source === "option" ? `ratio ${modelRatio}` : FALLBACKS[source];
  return `${from} by ${unit}`;
}
