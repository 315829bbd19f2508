import { CHANNEL_STATUS, CHANNEL_TRAFFIC_ORDERS } from "@one-api/contract/channels/channel-constants";
import type { ChannelDay } from "@one-api/contract/usage/channel-traffic";
import { isTroubledRate, LEAST_RATED_REQUESTS } from "@one-api/contract/usage/troubled-rate";
import type { Direction } from "@one-api/contract/fields";

export type TrafficOrder = (typeof CHANNEL_TRAFFIC_ORDERS)[number];

export function isTrafficOrder(order: string): order is TrafficOrder {
  return CHANNEL_TRAFFIC_ORDERS.some((name) => name === order);
}

export interface ChannelState {
  readonly id: number;
  readonly status: number;
  readonly hasHint: boolean;
  readonly failedTest: boolean;
}

type Day = Pick<ChannelDay, "requests" | "errors" | "quota" | "first_byte_p50_ms">;

const NO_DAY: Day = { requests: 0, errors: 0, quota: 0, first_byte_p50_ms: null };

/**
 * Sorts channels by their state and requests. The largest come first unless the direction is ascending; equal ones stay
 * in their order.
 */
export function rankChannels<State extends ChannelState>(
  channels: readonly State[],
  days: ReadonlyMap<number, Day>,
  order: TrafficOrder,
  direction: Direction = "desc",
): State[] {
  const ranked = channels.map((channel) => ({ channel, rank: rankOf(channel, days.get(channel.id) ?? NO_DAY, order) }));
  const sign = direction === "desc" ? 1 : -1;
  return ranked.sort((left, right) => sign * compare(right.rank, left.rank)).map(({ channel }) => channel);
}

function rankOf(channel: ChannelState, day: Day, order: TrafficOrder): readonly number[] {
  const rate = day.requests === 0 ? 0 : day.errors / day.requests;
  switch (order) {
    case "trouble":
      return [troubleOf(channel, day), day.requests < LEAST_RATED_REQUESTS ? 0 : rate, day.errors];
    case "requests":
      return [day.requests];
    case "error_rate":
      return [rate, day.errors];
    case "spend":
      return [day.quota];
    case "first_byte":
      return [day.first_byte_p50_ms ?? 0];
  }
}

function troubleOf({ status, hasHint, failedTest }: ChannelState, day: Day): number {
  if (status === CHANNEL_STATUS.autoDisabled) return 5;
  if (status !== CHANNEL_STATUS.enabled && status !== CHANNEL_STATUS.dormant) return 0;
  if (hasHint) return 4;
  if (isTroubledRate(day)) return 3;
  return status === CHANNEL_STATUS.dormant || failedTest ? 2 : 1;
}

function compare(left: readonly number[], right: readonly number[]): number {
  const index = left.findIndex((number, at) => number !== right[at]);
  return index === -1 ? 0 : (left[index] ?? 0) - (right[index] ?? 0);
}
