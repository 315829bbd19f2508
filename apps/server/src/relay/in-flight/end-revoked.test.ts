import assert from "node:assert/strict";
import { it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { systemClock } from "../../platform/clock.ts";
import { InFlightRequests } from "./in-flight-requests.ts";
import { endRevoked } from "./end-revoked.ts";

const RUNNING = 100;
const KEYS = 50;

it("asks for each key once, a few at a time, and ends every call of an unknown one", async () => {
  const inFlight = new InFlightRequests();
  const ended: (string | null)[] = [];
  for (let index = 0; index < RUNNING; index += 1) {
    inFlight.add({
      socket: undefined,
      parties: { key: `key-${index % KEYS}`, model: "m", channelId: undefined, isStreaming: false },
      halfClosed: () => undefined,
      checkpoint: () => undefined,
      endIfStalled: () => undefined,
      end: (error) => void ended.push(error.code),
    });
  }
  let asked = 0;
  let atOnce = 0;
  let most = 0;
  const find = async () => {
    asked += 1;
    atOnce += 1;
    most = Math.max(most, atOnce);
    await nextTurn();
    atOnce -= 1;
    return undefined;
  };
  const snapshot = () => ({
    serves: () => true,
    servingOthers: () => [],
    channelsOf: () => [],
    serving: () => [],
    modelsOf: () => [],
  });
  await endRevoked({
    inFlight,
    callers: { find },
    channels: { snapshot },
    loadChannel: async () => undefined,
    clock: systemClock,
  });
  assert.equal(asked, KEYS);
  assert.ok(most <= 20, String(most));
  assert.deepEqual(
    ended,
    Array.from({ length: RUNNING }, () => "invalid_api_key"),
  );
});
