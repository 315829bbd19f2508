import type { ReplayRow, Sums, TrafficRow } from "@one-api/log-store/questions";
import { addSums, NO_SUMS, SUM_NAMES } from "@one-api/log-store/usage-sums";
import { effectOn } from "../pricing/index.ts";
import type { ChainEnd, ChainModel } from "./alias-chain.ts";
import { MANY_REQUESTS } from "./foresee-traffic.ts";
import { firstByteOf, requestsOf, sum } from "./model-record.ts";
import type { ForeseenShare, ForeseeShares, WhatIfDependencies } from "./what-if-dependencies.ts";

export interface Candidate extends ChainModel {
  readonly channels: readonly ForeseenShare[];
}

interface Ended {
  readonly candidate: Candidate;
  readonly end: ChainEnd;
  readonly group: string;
  /** Rows of the alias, of one class of requests. */
  readonly rows: readonly ReplayRow[];
  /** All rows of the alias's models in the group. */
  readonly besides: readonly ReplayRow[];
}

interface ExpectParts {
  readonly foreseeShares: ForeseeShares;
  readonly priceOf: (model: string) => ReturnType<WhatIfDependencies["priceOf"]>;
}

/**
 * Returns the rows of the requests that end at a model. One that answered many of the class keeps its figures. Another one
 * gets the tokens of the class at its own price and cost.
 */
export async function expectRows(ended: Ended, parts: ExpectParts): Promise<TrafficRow[]> {
  const { candidate, end, group, rows } = ended;
  const { model, channels } = candidate;
  const measured = rows.filter((row) => row.model === model);
  const isMeasured = servedOf(measured) >= MANY_REQUESTS;
  const sums = isMeasured ? sumOf(measured) : await atModel(rows, { model, channels, group }, parts);
  const served = servedOf(isMeasured ? measured : rows);
  const part = served === 0 ? 0 : (end.requests - end.errors) / served;
  const firstByteMs = expectFirstByte(ended);
  return (isMeasured ? sharesIn(measured) : channels.map(({ channelId, share }) => ({ channelId, share }))).map(
    ({ channelId, share }) => ({
      group: 0,
      model,
      channelId,
      firstByteMs,
      sums: { ...partOf(sums, part * share), requests: end.requests * share, errors: end.errors * share },
    }),
  );
}

function expectFirstByte({ candidate, end, rows, besides }: Ended): number | null {
  const { model, firstTokenMs } = candidate;
  const direct = (of: readonly ReplayRow[]) => of.filter((row) => row.model === model && row.firstModel === "");
  const known = [direct(rows), direct(besides)].find((of) => firstByteOf(of) !== null) ?? [];
  const whole = firstByteOf(known);
  if (whole === null || end.requests === 0) return null;
  const isOnTime = firstTokenMs === undefined ? whole : (firstByteOf(known.filter(({ isLate }) => !isLate)) ?? whole);
  const onTime = end.onTime / end.requests;
  return Math.round(isOnTime * onTime + whole * (1 - onTime) + end.waitedMs / end.requests);
}

/** Returns the sums of requests as if the model had answered them, at its price and cost. */
async function atModel(
  rows: readonly ReplayRow[],
  { model, channels, group }: Pick<Candidate, "model" | "channels"> & { readonly group: string },
  { priceOf, foreseeShares }: ExpectParts,
): Promise<Sums> {
  const cost = costOf(channels);
  let total = NO_SUMS;
  for (const [from, of] of Map.groupBy(rows, (row) => row.model)) {
    const sums = sumOf(of);
    const present = from === model ? cost : costOf(await foreseeShares(from, group));
    const ratio = from === model ? 1 : present > 0 && Number.isFinite(cost / present) ? cost / present : undefined;
    const ofCost =
      ratio === undefined
        ? { cost: 0, unknownRequests: sums.requests }
        : { cost: Math.round(sums.cost * ratio), unknownRequests: sums.unknownRequests };
    const quota = from === model ? sums.quota : effectOn(sums, priceOf(from), priceOf(model)).after;
    total = addSums(total, { ...sums, quota, ...ofCost });
  }
  return total;
}

/** Cost of a mix of tokens at these channels. */
function costOf(channels: readonly ForeseenShare[]): number {
  return channels.reduce((total, { share, cost }) => (share === 0 ? total : total + share * cost), 0);
}

function sharesIn(rows: readonly ReplayRow[]): { readonly channelId: number; readonly share: number }[] {
  const served = servedOf(rows);
  return [...Map.groupBy(rows, ({ channelId }) => channelId)].map(([channelId, of]) => ({
    channelId,
    share: servedOf(of) / served,
  }));
}

function servedOf(rows: readonly ReplayRow[]): number {
  return requestsOf(rows) - sum(rows, ({ sums }) => sums.errors);
}

function sumOf(rows: readonly ReplayRow[]): Sums {
  return rows.map(({ sums }) => sums).reduce(addSums, NO_SUMS);
}

/** A part of sums, not rounded. */
function partOf(sums: Sums, part: number): Sums {
  const parts = { ...NO_SUMS };
  for (const name of SUM_NAMES) parts[name] = sums[name] * part;
  return parts;
}
