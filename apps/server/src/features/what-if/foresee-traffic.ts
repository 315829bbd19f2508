import type { WhatIfTraffic } from "@one-api/contract/usage/what-if";
import type { TrafficRow } from "@one-api/log-store/questions";
import type { ForeseenShare } from "./what-if-dependencies.ts";

/** Requests from which the error rate of a channel or model is taken. */
export const MANY_REQUESTS = 20;

const NO_TRAFFIC: WhatIfTraffic = {
  requests: 0,
  errors: 0,
  spend: 0,
  cost: 0,
  unknown: 0,
  first_byte_ms: null,
};

export function trafficOf(rows: readonly TrafficRow[]): WhatIfTraffic {
  const sum = (pick: (row: TrafficRow) => number) => rows.reduce((total, row) => total + pick(row), 0);
  return {
    requests: sum(({ sums }) => sums.requests),
    errors: sum(({ sums }) => sums.errors),
    spend: sum(({ sums }) => sums.quota),
    cost: sum(({ sums }) => sums.cost),
    unknown: sum(({ sums }) => sums.unknownRequests),
    first_byte_ms: meanOf(rows.map(({ firstByteMs, sums }) => [firstByteMs, sums.requests])),
  };
}

/** Adds traffic. The time to the first byte is the mean by requests. */
export function addTraffic(all: readonly WhatIfTraffic[]): WhatIfTraffic {
  const sum = (pick: (traffic: WhatIfTraffic) => number) => all.reduce((total, traffic) => total + pick(traffic), 0);
  return {
    requests: sum(({ requests }) => requests),
    errors: sum(({ errors }) => errors),
    spend: sum(({ spend }) => spend),
    cost: sum(({ cost }) => cost),
    unknown: sum(({ unknown }) => unknown),
    first_byte_ms: meanOf(all.map(({ first_byte_ms, requests }) => [first_byte_ms, requests])),
  };
}

/** Rounds parts of requests, which an estimate may have, to whole ones. */
export function roundTraffic({ first_byte_ms, ...sums }: WhatIfTraffic): WhatIfTraffic {
  const { requests, errors, spend, cost, unknown } = sums;
  return {
    requests: Math.round(requests),
    errors: Math.round(errors),
    spend: Math.round(spend),
    cost: Math.round(cost),
    unknown: Math.round(unknown),
    first_byte_ms,
  };
}

export function atOtherPrice(traffic: WhatIfTraffic, factor: number): WhatIfTraffic {
  return factor === 1 ? traffic : { ...traffic, spend: traffic.spend * factor };
}

/**
 * Returns the traffic as other shares would have it: each channel keeps its error rate, its cost of a request and its
 * time to the first byte. A channel with few requests gets the model's error rate, and a cost by its price.
 */
export function atOtherShares(
  traffic: WhatIfTraffic,
  rows: readonly TrafficRow[],
  { present, next }: { readonly present: readonly ForeseenShare[]; readonly next: readonly ForeseenShare[] },
): WhatIfTraffic {
  const { requests, spend } = traffic;
  const used = next.filter(({ share }) => share > 0);
  if (used.length === 0) return { ...NO_TRAFFIC, requests, errors: requests };
  const rowOf = new Map(rows.map((row) => [row.channelId, row]));
  const rateOfModel = requests === 0 ? 0 : traffic.errors / requests;
  const costOf = costsOf(rows, [...present, ...next]);
  let [errors, cost, unknown] = [0, 0, 0];
  for (const { channelId, share } of used) {
    const sums = rowOf.get(channelId)?.sums;
    const rate = sums !== undefined && sums.requests >= MANY_REQUESTS ? sums.errors / sums.requests : rateOfModel;
    errors += rate * share * requests;
    const ofRequest = costOf(channelId);
    if (ofRequest === undefined) unknown += share * requests;
    else cost += ofRequest * share * requests;
  }
  const served = rateOfModel === 1 ? 0 : (requests - errors) / (requests - traffic.errors || 1);
  return {
    requests,
    errors,
    spend: spend * served,
    cost,
    unknown,
    first_byte_ms: meanOf(
      used.map(({ channelId, share }) => [rowOf.get(channelId)?.firstByteMs ?? null, share] as const),
    ),
  };
}

function costsOf(
  rows: readonly TrafficRow[],
  shares: readonly ForeseenShare[],
): (channelId: number) => number | undefined {
  const priceOf = new Map(shares.map(({ channelId, cost }) => [channelId, cost]));
  const own = new Map(
    rows.flatMap(({ channelId, sums }) => {
      const known = sums.requests - sums.unknownRequests;
      return known > 0 && channelId !== 0 ? [[channelId, sums.cost / known] as const] : [];
    }),
  );
  return (channelId) => {
    const paid = own.get(channelId);
    if (paid !== undefined) return paid;
    const price = priceOf.get(channelId) ?? Number.POSITIVE_INFINITY;
    for (const [other, cost] of own) {
      const priceOfOther = priceOf.get(other) ?? Number.POSITIVE_INFINITY;
      if (Number.isFinite(price) && Number.isFinite(priceOfOther) && priceOfOther > 0)
        return (cost * price) / priceOfOther;
    }
    return price === 0 ? 0 : undefined;
  };
}

/** Mean by weight; null without any value. */
export function meanOf(values: readonly (readonly [value: number | null, weight: number])[]): number | null {
  let [sum, weights] = [0, 0];
  for (const [value, weight] of values) {
    if (value === null) continue;
    sum += value * weight;
    weights += weight;
  }
  return weights === 0 ? null : Math.round(sum / weights);
}
