import { setImmediate as nextTurn } from "node:timers/promises";
import { keyText } from "@one-api/log-store/usage-key";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import type { PriceTable } from "@one-api/contract/prices/model-prices";
import { type PriceUnit, TOKENS_OF_UNIT } from "@one-api/contract/prices/price-unit";
import {
  type estimatePriceEffect as estimatePriceEffectCall,
  MAX_PRICE_EFFECTS,
  type PriceEffect,
} from "@one-api/contract/prices/pricing";
import type { z } from "zod";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { RatioTable } from "../../core/option-store.ts";
import type { ModelCatalogue } from "../models/index.ts";
import { NO_USAGE_FILTER, SLOT_SECONDS, type Sums } from "@one-api/log-store/questions";
import { askLog } from "../logs/index.ts";
import { listKnownModels } from "./list-listed-prices.ts";

const WEEK_SECONDS = 7 * 24 * 60 * 60;
const MODELS_PER_SLICE = 5;
const MOST_MODELS = 5_000;

interface RatioPrice {
  readonly unit: PriceUnit;
  readonly modelRatio: number;
  readonly completionRatio: number;
  readonly source: "option" | "list" | "fallback";
}

interface OwnPrices {
  readonly modelRatios: RatioTable;
  readonly completionRatios: RatioTable;
  readonly modelPrices: PriceTable;
}

/** Returns the price that requests are charged with at a time, by the options or by other ones. */
export type PriceOf = (
  of: { readonly model: string; readonly type: ChannelType | undefined; readonly atMs: number },
  own?: OwnPrices,
) => RatioPrice;

interface EstimateDependencies {
  readonly priceOf: PriceOf;
  readonly catalogue: ModelCatalogue;
}

type EstimateContext = Pick<CallContext, "database" | "clock" | "logStore" | "signal">;

/**
 * Estimates the charges of the last 7 days with other prices. Each charge is scaled by the change of its
 * prompt and completion price.
 */
export async function estimatePriceEffect(
  context: EstimateContext,
  { priceOf, catalogue }: EstimateDependencies,
  { model_ratios, completion_ratios, model_prices }: z.output<(typeof estimatePriceEffectCall)["body"]>,
): Promise<PriceEffect> {
  const known = new Map((await listKnownModels(context.database.db, catalogue)).map((one) => [one.model, one]));
  const wanted = {
    modelRatios: new Map(Object.entries(model_ratios)),
    completionRatios: new Map(Object.entries(completion_ratios)),
    modelPrices: new Map(Object.entries(model_prices)),
  };
  const effects: PriceEffect["models"] = [];
  const atMs = context.clock.nowMs();
  for (const [index, [model, sums]] of [...(await sumLastWeek(context))].entries()) {
    if (index % MODELS_PER_SLICE === 0) await nextTurn();
    const of = { model, type: known.get(model)?.type, atMs };
    const effect = effectOn(sums, priceOf(of), priceOf(of, wanted));
    if (effect.before !== effect.after) effects.push({ model, ...effect });
  }
  const total = (part: "before" | "after") => effects.reduce((sum, effect) => sum + effect[part], 0);
  const change = ({ before, after }: PriceEffect["models"][number]) => Math.abs(after - before);
  const models = effects.toSorted((left, right) => change(right) - change(left)).slice(0, MAX_PRICE_EFFECTS);
  return { before: total("before"), after: total("after"), models, changed: effects.length };
}

export async function sumLastWeek(context: EstimateContext): Promise<ReadonlyMap<string, Sums>> {
  const now = nowSeconds(context.clock);
  const { answer } = await askLog(context, {
    kind: "usage",
    filter: NO_USAGE_FILTER,
    edges: [now - WEEK_SECONDS, now + SLOT_SECONDS],
    by: "model",
    order: "spend",
    rows: MOST_MODELS,
    split: 0,
    times: "none",
  });
  return new Map(answer.rows.map(({ key, usage }) => [keyText(key), usage]));
}

/** Returns the charges of the usage, and what they would be at another price. */
export function effectOn(sums: Sums, present: RatioPrice, other: RatioPrice): { before: number; after: number } {
  const [before, after] = [worthAt(sums, present), worthAt(sums, other)];
  if (before === after) return { before: sums.quota, after: sums.quota };
  return { before: sums.quota, after: before === 0 ? after : Math.round((sums.quota * after) / before) };
}

function worthAt(sums: Sums, { unit, modelRatio, completionRatio }: RatioPrice): number {
  if (unit === "request") return Math.ceil(sums.requests * TOKENS_OF_UNIT.request.tokens * modelRatio);
  return Math.ceil((sums.promptTokens + sums.completionTokens * completionRatio) * modelRatio);
}
