import { type ChannelTimes, TIMED_REQUESTS } from "@one-api/contract/usage/channel-traffic";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import type { CallContext } from "../../../core/call-context.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import { askLog, NO_FILTER } from "../../logs/index.ts";
import { channelNotFound } from "../channel.policy.ts";
import { findChannel } from "../channel.repository.ts";

const DAY_SECONDS = 86_400;

/** Median answer times of a channel's models in its newest requests of the last days. Throws `channel-not-found`. */
export async function readChannelTimes(context: CallContext, id: number, days = 1): Promise<ChannelTimes> {
  if ((await findChannel(context.database.db, id)) === undefined) throw channelNotFound(id);
  const startTimestamp = nowSeconds(context.clock) - days * DAY_SECONDS;
  const filter = {
    ...NO_FILTER,
    channelIds: [id],
    types: [LOG_TYPE.consumption],
    results: ["ok"],
    startTimestamp,
  } as const;
  const { answer } = await askLog(context, { kind: "times", filter, limit: TIMED_REQUESTS });
  return {
    requests: answer.reduce((sum, { requests }) => sum + requests, 0),
    models: answer.map(({ model, requests, firstByteMs, durationMs }) => ({
      model,
      requests,
      first_byte_p50_ms: firstByteMs,
      duration_p50_ms: durationMs,
    })),
  };
}
