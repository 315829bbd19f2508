import { entriesOfAlias, type ModelAlias } from "@one-api/contract/channels/model-aliases";
import type { TrafficRow } from "@one-api/log-store/questions";
import { addSums, NO_SUMS, partOfSums, subtractSums } from "@one-api/log-store/usage-sums";
import { effectOn } from "../pricing/index.ts";
import { MANY_REQUESTS } from "./foresee-traffic.ts";
import type { ModelTraffic } from "./read-traffic.ts";
import type { ForeseenShare, RoutingChange, WhatIfDependencies } from "./what-if-dependencies.ts";

type RatioPrice = ReturnType<WhatIfDependencies["priceOf"]>;

export interface MovedTraffic extends ModelTraffic {
  /** Rows with the change of the aliases; `rows` without one. */
  readonly moved: readonly TrafficRow[];
}

/** Requests for an alias by group, model and channel. */
export interface AliasTraffic {
  readonly alias: ModelAlias;
  readonly models: readonly ModelTraffic[];
}

export interface MoveParts {
  readonly foreseeShares: WhatIfDependencies["foreseeShares"];
  readonly routing: RoutingChange | undefined;
  readonly priceOf: (model: string) => RatioPrice;
}

/**
 * Moves the requests for aliases to the models of other definitions, in each group to those that it serves. A model that
 * had answered many of them keeps its figures. Another one gets their tokens at its own price, cost and error rate.
 */
export async function moveAliases(
  models: readonly ModelTraffic[],
  aliases: readonly AliasTraffic[],
  parts: MoveParts,
): Promise<readonly MovedTraffic[]> {
  const moved = new Map(models.map((each) => [keyOf(each), { ...each, moved: each.rows }]));
  const change = ({ group, model }: Omit<ModelTraffic, "rows">, to: (rows: readonly TrafficRow[]) => TrafficRow[]) => {
    const key = keyOf({ group, model });
    const known = moved.get(key) ?? { group, model, rows: [], moved: [] };
    moved.set(key, { ...known, moved: to(known.moved) });
  };
  for (const { alias, models: ofAlias } of aliases) {
    for (const [group, own] of Map.groupBy(ofAlias, (each) => each.group)) {
      const shares = await sharesOf(alias, group, parts);
      if (shares.length === 0) continue;
      for (const each of own) change(each, (rows) => without(rows, each.rows));
      for (const { model, share, channels } of shares) {
        const measured = own.find((each) => each.model === model)?.rows ?? [];
        const besides = models.find((each) => each.group === group && each.model === model)?.rows ?? [];
        const target = { model, channels, measured, besides, requests: share * requestsOf(own.flatMap(rowsOf)) };
        const added = await expected(own, target, parts);
        change({ group, model }, (rows) => together(rows, added));
      }
    }
  }
  return [...moved.values()];
}

interface ModelShare {
  readonly model: string;
  readonly share: number;
  readonly channels: readonly ForeseenShare[];
}

/** Returns the models of an alias that get requests of the group, with their share: by weight, or all for the first. */
async function sharesOf(
  alias: ModelAlias,
  group: string,
  { foreseeShares, routing }: MoveParts,
): Promise<ModelShare[]> {
  const served: (Omit<ModelShare, "share"> & { readonly weight: number })[] = [];
  for (const { model, weight = 0 } of entriesOfAlias(alias)) {
    const channels = (await foreseeShares(model, group, routing)).filter(({ share }) => share > 0);
    if (channels.length > 0) served.push({ model, weight, channels });
  }
  const total = served.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return served.slice(0, 1).map(({ model, channels }) => ({ model, channels, share: 1 }));
  return served
    .filter(({ weight }) => weight > 0)
    .map(({ model, channels, weight }) => ({ model, channels, share: weight / total }));
}

interface Target {
  readonly model: string;
  readonly channels: readonly ForeseenShare[];
  /** Rows of the alias that the model answered. */
  readonly measured: readonly TrafficRow[];
  /** All rows of the model in the group. */
  readonly besides: readonly TrafficRow[];
  readonly requests: number;
}

/** Returns the rows of so many requests of an alias at the model. */
async function expected(own: readonly ModelTraffic[], target: Target, parts: MoveParts): Promise<TrafficRow[]> {
  const { measured, requests } = target;
  const known = requestsOf(measured);
  if (known >= MANY_REQUESTS) return measured.map((row) => ({ ...row, sums: partOfSums(row.sums, requests / known) }));
  const all = own.flatMap(rowsOf);
  const sums = await atModel(own, target, parts);
  const rate = errorRate(target.besides) ?? errorRate(all, 1) ?? 0;
  const failed = errorRate(all, 1) ?? 0;
  const served = failed === 1 ? 0 : (1 - rate) / (1 - failed);
  const part = requests / (requestsOf(all) || 1);
  return target.channels.map(({ channelId, share }) => {
    const ofChannel = partOfSums(sums, part * share);
    const errors = Math.round(ofChannel.requests * rate);
    const [quota, cost] = [ofChannel.quota, ofChannel.cost].map((amount) => Math.round(amount * served));
    const sample = target.besides.find((row) => row.channelId === channelId);
    const firstByteMs = sample?.firstByteMs ?? null;
    return {
      group: 0,
      model: target.model,
      channelId,
      firstByteMs,
      sums: { ...ofChannel, errors, quota: quota ?? 0, cost: cost ?? 0 },
    };
  });
}

/** Returns the sums of an alias's requests as if the model had answered them, at its price and cost. */
async function atModel(
  own: readonly ModelTraffic[],
  { model, channels }: Target,
  { priceOf, foreseeShares }: MoveParts,
): Promise<TrafficRow["sums"]> {
  const cost = costOf(channels);
  let total = NO_SUMS;
  for (const each of own) {
    const present = costOf(await foreseeShares(each.model, each.group));
    const ratio = present > 0 && Number.isFinite(cost / present) ? cost / present : undefined;
    for (const { sums } of each.rows) {
      const { after } = effectOn(sums, priceOf(each.model), priceOf(model));
      const known = each.model === model ? 1 : ratio;
      const ofCost =
        known === undefined
          ? { cost: 0, unknownRequests: sums.requests }
          : { cost: Math.round(sums.cost * known), unknownRequests: sums.unknownRequests };
      total = addSums(total, { ...sums, quota: each.model === model ? sums.quota : after, ...ofCost });
    }
  }
  return total;
}

/** Cost of a mix of tokens at these channels. */
function costOf(channels: readonly ForeseenShare[]): number {
  return channels.reduce((sum, { share, cost }) => (share === 0 ? sum : sum + share * cost), 0);
}

function errorRate(rows: readonly TrafficRow[], least = MANY_REQUESTS): number | undefined {
  const requests = requestsOf(rows);
  return requests < least ? undefined : rows.reduce((sum, { sums }) => sum + sums.errors, 0) / requests;
}

function requestsOf(rows: readonly TrafficRow[]): number {
  return rows.reduce((sum, { sums }) => sum + sums.requests, 0);
}

function rowsOf({ rows }: ModelTraffic): readonly TrafficRow[] {
  return rows;
}

function without(rows: readonly TrafficRow[], gone: readonly TrafficRow[]): TrafficRow[] {
  return rows.map((row) => {
    const less = gone.find(({ channelId }) => channelId === row.channelId);
    return less === undefined ? row : { ...row, sums: subtractSums(row.sums, less.sums) };
  });
}

function together(rows: readonly TrafficRow[], added: readonly TrafficRow[]): TrafficRow[] {
  const raised = rows.map((row) => {
    const more = added.find(({ channelId }) => channelId === row.channelId);
    return more === undefined ? row : { ...row, sums: addSums(row.sums, more.sums) };
  });
  return [...raised, ...added.filter(({ channelId }) => !rows.some((row) => row.channelId === channelId))];
}

function keyOf({ group, model }: Omit<ModelTraffic, "rows">): string {
  return JSON.stringify([group, model]);
}
