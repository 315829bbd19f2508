import type { ChannelTraffic } from "@one-api/contract/usage/channel-traffic";
import { LOG_RESULTS } from "@one-api/contract/constants";
import { FAILED_RESULTS } from "@one-api/contract/logs/log-outcome";
import type { FirstByte } from "@one-api/contract/usage/first-byte";
import { splitList } from "@one-api/contract/texts";
import type { CallContext } from "../../../core/call-context.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import { NO_USAGE_FILTER, SLOT_SECONDS, type ResultTotals } from "@one-api/log-store/questions";
import { askLog, NO_FILTER, presentFirstByte } from "../../logs/index.ts";
import { readModelMapping } from "../channel-config.ts";
import type { ChannelDependencies } from "../channel-dependencies.ts";
import { channelNotFound } from "../channel.policy.ts";
import { type ChannelDetailRow, findChannel } from "../channel.repository.ts";

const DAY_SECONDS = 86_400;

const ERRORS: ReadonlySet<string> = new Set([...FAILED_RESULTS, "provider-refused"]);

type Totals = Pick<ChannelTraffic, "requests" | "errors" | "quota" | "tokens">;

/** Requests of a channel in the last days, and the cooldowns of its models. Throws `channel-not-found`. */
export async function readChannelTraffic(
  context: CallContext,
  { statesOf }: Pick<ChannelDependencies, "statesOf">,
  id: number,
  days = 1,
): Promise<ChannelTraffic> {
  const { database, clock } = context;
  const channel = await findChannel(database.db, id);
  if (channel === undefined) throw channelNotFound(id);
  const to = nowSeconds(clock);
  const from = to - days * DAY_SECONDS;
  const filter = { ...NO_FILTER, channelIds: [id], startTimestamp: from, endTimestamp: to };
  const { answer } = await askLog(context, { kind: "results", filter });
  const rows = answer.filter(({ entries, quota }) => entries > 0 || quota !== 0);
  return {
    from,
    to,
    ...totalsOf(rows),
    ...(await readFirstByte(context, id, [from, to + SLOT_SECONDS])),
    results: resultsOf(rows),
    models: modelsOf(channel, rows, statesOf),
    spent_quota: channel.used_quota - channel.soft_limit_base_quota,
  };
}

async function readFirstByte(context: CallContext, id: number, edges: readonly number[]): Promise<FirstByte> {
  const { answer } = await askLog(context, {
    kind: "usage",
    filter: { ...NO_USAGE_FILTER, channelId: id },
    edges,
    by: "channel",
    order: "requests",
    rows: 1,
    split: 0,
    times: "rows",
  });
  return presentFirstByte(answer.total.times);
}

function totalsOf(rows: readonly ResultTotals[]): Totals {
  const totals = { requests: 0, errors: 0, quota: 0, tokens: 0 };
  for (const { result, entries, quota, tokens } of rows) {
    totals.requests += entries;
    if (ERRORS.has(result)) totals.errors += entries;
    totals.quota += quota;
    totals.tokens += tokens;
  }
  return totals;
}

function resultsOf(rows: readonly ResultTotals[]): ChannelTraffic["results"] {
  return LOG_RESULTS.map((result) => ({
    result,
    requests: totalsOf(rows.filter((row) => row.result === result)).requests,
  }))
    .filter(({ requests }) => requests > 0)
    .toSorted((left, right) => right.requests - left.requests);
}

function modelsOf(
  { id, models, model_mapping: mapping }: ChannelDetailRow,
  rows: readonly ResultTotals[],
  statesOf: ChannelDependencies["statesOf"],
): ChannelTraffic["models"] {
  const served = splitList(models);
  const names = [...new Set([...served, ...rows.map(({ model }) => model)])];
  const upstreamNames = readModelMapping(mapping);
  const states = statesOf(
    id,
    names.map((name) => upstreamNames.get(name) ?? name),
  );
  const rowsOf = Map.groupBy(rows, ({ model }) => model);
  return names.map((model, index) => ({
    model,
    served: served.includes(model),
    rest: states[index]?.rest ?? "",
    until: states[index]?.untilSeconds ?? 0,
    latency_ms: roundedOrNull(states[index]?.latencyMs),
    ...totalsOf(rowsOf.get(model) ?? []),
  }));
}

function roundedOrNull(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms);
}
