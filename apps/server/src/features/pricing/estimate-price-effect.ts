import { setImmediate as nextTurn } from "node:timers/promises";
import { keyText } from "@one-api/log-store/usage-key";
import {
  type estimatePriceEffect as estimatePriceEffectCall,
  MAX_PRICE_EFFECTS,
  type PriceEffect,
} from "@one-api/contract/prices/pricing";
import { UNKNOWN_MODEL_RATIO } from "@one-api/contract/prices/ratios";
import type { z } from "zod";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { OptionStore, RatioTable } from "../../core/option-store.ts";
import type { ModelCatalogue } from "../models/index.ts";
import { SLOT_SECONDS, type Sums } from "@one-api/log-store/questions";
import { askLog } from "../logs/index.ts";
import { type KnownModel, listKnownModels } from "./list-listed-prices.ts";

const WEEK_SECONDS = 7 * 24 * 60 * 60;
/** The lookup of an unknown name takes milliseconds, so requests run in between. */
const MODELS_PER_SLICE = 5;
const MOST_MODELS = 5_000;

interface EstimateDependencies {
  readonly options: Pick<OptionStore, "ratios">;
  readonly catalogue: ModelCatalogue;
}

interface OwnRatios {
  readonly model: RatioTable;
  readonly completion: RatioTable;
}

/**
 * Estimates the charges of the last 7 days with other ratios. Each charge is scaled by the change of its
 * prompt and completion price.
 */
export async function estimatePriceEffect(
  context: Pick<CallContext, "database" | "clock" | "logStore" | "signal">,
  { options, catalogue }: EstimateDependencies,
  { model_ratios, completion_ratios }: z.output<(typeof estimatePriceEffectCall)["body"]>,
): Promise<PriceEffect> {
  const now = nowSeconds(context.clock);
  const { answer } = await askLog(context, {
    kind: "usage",
    filter: { userId: 0, tokenName: "", modelName: "", channelId: 0 },
    edges: [now - WEEK_SECONDS, now + SLOT_SECONDS],
    by: "model",
    order: "spend",
    rows: MOST_MODELS,
    split: 0,
    times: "none",
  });
  const known = new Map((await listKnownModels(context.database.db, catalogue)).map((one) => [one.model, one]));
  const current = { model: options.ratios("ModelRatio"), completion: options.ratios("CompletionRatio") };
  const wanted = {
    model: new Map(Object.entries(model_ratios)),
    completion: new Map(Object.entries(completion_ratios)),
  };
  const effects: PriceEffect["models"] = [];
  for (const [index, { key, usage: sums }] of answer.rows.entries()) {
    if (index % MODELS_PER_SLICE === 0) await nextTurn();
    const model = keyText(key);
    const worth = worthOf(model, known.get(model)?.type, catalogue, sums);
    const [before, after] = [worth(current), worth(wanted)];
    if (before === after) continue;
    effects.push({
      model,
      before: sums.quota,
      after: before === 0 ? after : Math.round((sums.quota * after) / before),
    });
  }
  const total = (part: "before" | "after") => effects.reduce((sum, effect) => sum + effect[part], 0);
  const change = ({ before, after }: PriceEffect["models"][number]) => Math.abs(after - before);
  const models = effects.toSorted((left, right) => change(right) - change(left)).slice(0, MAX_PRICE_EFFECTS);
  return { before: total("before"), after: total("after"), models, changed: effects.length };
}

/** Returns a function that prices the model's usage, in quota, by given ratios. */
function worthOf(model: string, type: KnownModel["type"], catalogue: ModelCatalogue, sums: Sums) {
  const listed = catalogue.listedRatios(model, type);
  const own = (table: RatioTable) => table.get(`${model}(${type ?? ""})`) ?? table.get(model);
  return ({ model: models, completion }: OwnRatios) => {
    const perPrompt = own(models) ?? listed?.modelRatio ?? UNKNOWN_MODEL_RATIO;
    const perCompletion = own(completion) ?? listed?.completionRatio ?? 1;
    return Math.ceil((sums.promptTokens + sums.completionTokens * perCompletion) * perPrompt);
  };
}
