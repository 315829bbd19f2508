import { type ChannelTimes, TIMED_REQUESTS } from "@one-api/contract/channels/channel-traffic";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import type { CallContext } from "../../../core/call-context.ts";
import { nowSeconds } from "../../../core/clock.ts";
import { listNewestTimes, NO_FILTER, type RequestTimes } from "../../logs/index.ts";
import { channelNotFound } from "../channel.policy.ts";
import { findChannel } from "../channel.repository.ts";

const DAY_SECONDS = 86_400;

/** How quickly a channel's models answered in the last 24 hours, by its newest requests that were. Throws `channel-not-found`. */
export async function readChannelTimes({ database, clock }: CallContext, id: number): Promise<ChannelTimes> {
  if ((await findChannel(database.db, id)) === undefined) throw channelNotFound(id);
  const startTimestamp = nowSeconds(clock) - DAY_SECONDS;
  const filter = { ...NO_FILTER, channelId: id, type: LOG_TYPE.consumption, result: "ok", startTimestamp } as const;
  const requests = await listNewestTimes(database, filter, TIMED_REQUESTS);
  const byModel = Map.groupBy(requests, ({ model }) => model);
  return { requests: requests.length, models: [...byModel].map(([model, ofModel]) => timesOf(model, ofModel)) };
}

function timesOf(model: string, requests: readonly RequestTimes[]): ChannelTimes["models"][number] {
  const firstBytes = requests.map(({ firstByteMs }) => firstByteMs).filter((ms) => ms > 0);
  return {
    model,
    requests: requests.length,
    first_byte_p50_ms: medianOf(firstBytes) ?? null,
    duration_p50_ms: medianOf(requests.map(({ durationMs }) => durationMs)) ?? 0,
  };
}

/** What half of the values, rounded up, are not above; undefined without any. */
function medianOf(values: readonly number[]): number | undefined {
  return values.toSorted((left, right) => left - right)[Math.ceil(values.length / 2) - 1];
}
