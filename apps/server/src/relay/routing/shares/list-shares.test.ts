import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ChannelForRelay } from "../../../features/channels/index.ts";
import { TEST_MODEL, testChannel } from "../../../testing/test-channel.ts";
import { createTestClock } from "../../../testing/test-clock.ts";
import { createChannelHealth } from "../channel-health.ts";
import { createListShares } from "./list-shares.ts";

function start(channels: readonly ChannelForRelay[]) {
  const clock = createTestClock();
  const health = createChannelHealth(clock);
  const snapshot = {
    serves: () => true,
    servingOthers: () => [],
    channelsOf: () => [],
    serving: () => channels,
    modelsOf: () => [TEST_MODEL],
  };
  const listShares = createListShares({
    providerSwitches: () => ({ geminiNative: true, geminiUpload: true }),
    channels: { snapshot: () => snapshot },
    health,
    clock,
    poolMode: () => "random",
    maxLatencyMs: () => 0,
  });
  const limit = (id: number) =>
    health.recordFailure(id, TEST_MODEL, {
      kind: "rate-limited",
      status: 429,
      message: "",
      code: "",
      type: "",
      param: null,
      retryAfterMs: 30_000,
    });
  const ask = async (
    draft?: { channel: number; priority: number; weight: number },
    without: readonly number[] = [],
  ) => {
    const shares = await listShares(TEST_MODEL, "default", draft, new Set(without));
    return Object.fromEntries(shares.map((share) => [share.channel, [share.share, share.code, share.awake_in]]));
  };
  return { ask, limit };
}

describe("who gets the requests for a model", () => {
  it("says the share of each channel, and why some get none", async () => {
    const { ask, limit } = start([
      testChannel(1, 5, 3),
      testChannel(2, 5, 1),
      testChannel(3, 5, 0),
      testChannel(4, 0, 9),
      testChannel(5, 9, 1),
    ]);
    limit(5);
    assert.deepEqual(await ask(), {
      1: [0.75, "", 0],
      2: [0.25, "", 0],
      3: [0, "no-weight", 0],
      4: [0, "lower-priority", 0],
      5: [0, "rate-limited", 30],
    });
  });

  it("says what other numbers of a channel would come to, without storing them", async () => {
    const { ask } = start([testChannel(1, 5, 3), testChannel(2, 5, 1)]);
    assert.deepEqual(await ask({ channel: 2, priority: 5, weight: 9 }), { 1: [0.25, "", 0], 2: [0.75, "", 0] });
    assert.deepEqual(await ask({ channel: 2, priority: 6, weight: 0 }), { 1: [0, "lower-priority", 0], 2: [1, "", 0] });
    assert.deepEqual(await ask(), { 1: [0.75, "", 0], 2: [0.25, "", 0] });
  });

  it("weighs a channel that is not stored yet beside the others", async () => {
    const { ask } = start([testChannel(1, 5, 3)]);
    assert.deepEqual(await ask({ channel: 0, priority: 5, weight: 0 }), { 0: [0, "no-weight", 0], 1: [1, "", 0] });
    assert.deepEqual(await ask({ channel: 0, priority: 5, weight: 1 }), { 0: [0.25, "", 0], 1: [0.75, "", 0] });
  });

  it("says what is left without some channels", async () => {
    const { ask } = start([testChannel(1, 5, 3), testChannel(2, 5, 1), testChannel(3, 0, 1)]);
    assert.deepEqual(await ask(undefined, [1]), { 2: [1, "", 0], 3: [0, "lower-priority", 0] });
    assert.deepEqual(await ask(undefined, [1, 2]), { 3: [1, "", 0] });
    assert.deepEqual(await ask(undefined, [1, 2, 3]), {});
  });
});
