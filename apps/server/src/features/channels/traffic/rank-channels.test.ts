import assert from "node:assert/strict";
import { test } from "node:test";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { type ChannelState, rankChannels } from "./rank-channels.ts";

const channel = (id: number, more: Partial<ChannelState> = {}): ChannelState => ({
  id,
  status: CHANNEL_STATUS.enabled,
  hasHint: false,
  failedTest: false,
  ...more,
});
const day = (requests: number, errors: number, firstByteMs: number | null = null) => ({
  requests,
  errors,
  quota: requests * 10,
  first_byte_p50_ms: firstByteMs,
});

test("trouble is ranked by state, then by failed requests; few requests give no rate", () => {
  const channels = [
    channel(1),
    channel(2, { status: CHANNEL_STATUS.disabled, hasHint: true }),
    channel(3, { failedTest: true }),
    channel(4, { hasHint: true }),
    channel(5),
    channel(6, { status: CHANNEL_STATUS.autoDisabled }),
    channel(7, { status: CHANNEL_STATUS.dormant }),
    channel(8),
    channel(9, { status: CHANNEL_STATUS.reserve }),
  ];
  const days = new Map([
    [1, day(1_000, 10)],
    [5, day(100, 20)],
    [8, day(2, 2)],
  ]);
  const order = (direction: "asc" | "desc") => rankChannels(channels, days, "trouble", direction).map(({ id }) => id);
  assert.deepEqual(order("desc"), [6, 4, 5, 3, 7, 1, 8, 2, 9]);
  assert.deepEqual(order("asc"), [2, 9, 8, 1, 3, 7, 5, 4, 6]);
});

test("channels without requests come last in orders by numbers", () => {
  const channels = [channel(1), channel(2), channel(3)];
  const days = new Map([
    [2, day(10, 1, 900)],
    [3, day(20, 1, 300)],
  ]);
  const order = (by: Parameters<typeof rankChannels>[2]) => rankChannels(channels, days, by).map(({ id }) => id);
  assert.deepEqual([order("requests"), order("spend")], [[3, 2, 1], [3, 2, 1]]); // prettier-ignore
  assert.deepEqual([order("error_rate"), order("first_byte")], [[2, 3, 1], [2, 3, 1]]); // prettier-ignore
});
