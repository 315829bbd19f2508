import { setImmediate as nextTurn } from "node:timers/promises";
import { channelTypeInfo } from "@one-api/contract/channels/channel-types";
import { startOf } from "@one-api/contract/prices/model-prices";
import { quotaOfUnit } from "@one-api/contract/prices/price-unit";
import type { ComingPrice } from "@one-api/contract/prices/pricing";
import type { CallContext } from "../../core/call-context.ts";
import type { OptionStore } from "../../core/option-store.ts";
import type { ModelCatalogue } from "../models/index.ts";
import { effectOn, type PriceOf, sumLastWeek } from "./estimate-price-effect.ts";
import type { PriceLists } from "./follow-price-list.ts";
import { type KnownModel, listKnownModels } from "./list-listed-prices.ts";

const MODELS_PER_SLICE = 5;
const DIGITS = 12;
const MOST_CHANGES = 1_000;

interface ComingDependencies {
  readonly options: OptionStore;
  readonly priceOf: PriceOf;
  readonly catalogue: ModelCatalogue;
  readonly priceLists: Pick<PriceLists, "inUse">;
}

interface Start extends Pick<KnownModel, "model" | "type"> {
  readonly atMs: number;
  readonly source: ComingPrice["source"];
}

/** Lists the prices that begin later, in the order of their times: those of the option, and of the list for served models. */
export async function listComingPrices(
  context: Pick<CallContext, "database" | "clock" | "logStore" | "signal">,
  deps: ComingDependencies,
): Promise<ComingPrice[]> {
  const { options, priceOf } = deps;
  const known = await listKnownModels(context.database.db, deps.catalogue);
  const starts = findStarts(deps, known, context.clock.nowMs());
  if (starts.length === 0) return [];
  const usage = await sumLastWeek(context);
  const perUnit = options.number("QuotaPerUnit");
  const coming: ComingPrice[] = [];
  for (const [index, { model, type, atMs, source }] of starts.entries()) {
    if (index % MODELS_PER_SLICE === 0) await nextTurn();
    const [before, after] = [priceOf({ model, type, atMs: atMs - 1 }), priceOf({ model, type, atMs })];
    if (same(before, after) || after.source !== source) continue;
    const sums = usage.get(model);
    const effect = sums === undefined ? { before: 0, after: 0 } : effectOn(sums, before, after);
    const at = Math.ceil(atMs / 1_000);
    coming.push({ model, at, source, before: inDollars(before, perUnit), after: inDollars(after, perUnit), effect });
  }
  return coming.slice(0, MOST_CHANGES);
}

/** Name of a price for one channel type: `gpt-4o(3)`. */
const OF_TYPE = /^(?<model>.+)\((?<type>\d+)\)$/;

function findStarts(
  { options, priceLists }: Pick<ComingDependencies, "options" | "priceLists">,
  known: readonly KnownModel[],
  nowMs: number,
): Start[] {
  const typeOf = new Map(known.map(({ model, type }) => [model, type]));
  const own = [...options.prices("ModelPrices")].flatMap(([name, prices]) => {
    const { model = name, type } = OF_TYPE.exec(name)?.groups ?? {};
    const named = type === undefined ? undefined : channelTypeInfo(Number(type))?.type;
    return prices.map((price) => ({
      model,
      type: named ?? typeOf.get(model),
      atMs: startOf(price),
      source: "option" as const,
    }));
  });
  const listed = priceLists
    .inUse()
    .list.starts.filter((atMs) => atMs > nowMs)
    .flatMap((atMs) =>
      known.filter(({ served }) => served).map(({ model, type }) => ({ model, type, atMs, source: "list" as const })),
    );
  return [...own, ...listed].filter(({ atMs }) => atMs > nowMs).sort((left, right) => left.atMs - right.atMs);
}

type Price = ReturnType<PriceOf>;

function same(left: Price, right: Price): boolean {
  const textOf = (price: Price) => JSON.stringify({ ...price, source: "" });
  return textOf(left) === textOf(right);
}

function inDollars({ unit, modelRatio, completionRatio }: Price, quotaPerUnit: number): ComingPrice["before"] {
  const dollars = (ratio: number) => Number((quotaOfUnit(unit, ratio) / quotaPerUnit).toPrecision(DIGITS));
  return { unit, input: dollars(modelRatio), output: dollars(modelRatio * completionRatio) };
}
