import assert from "node:assert/strict";
import { it } from "node:test";
import { type InFlightRequest, InFlightRequests } from "./in-flight-requests.ts";

function relay(requestId: string): InFlightRequest {
  return {
    checkpoint: () => ({ requestId, channelId: 1, delivered: 1 }),
    endIfStalled: () => undefined,
    parties: undefined,
    socket: undefined,
    halfClosed: () => undefined,
    end: () => undefined,
  };
}

it("knows which streams are open, whatever the order in which they end", async () => {
  const inFlight = new InFlightRequests();
  const open = (requestId: string) => inFlight.add(relay(requestId));
  const known = async () => (await inFlight.checkpoints()).map(({ requestId }) => requestId);
  const [removeA, removeB, removeC] = [open("a"), open("b"), open("c")];
  removeA();
  assert.deepEqual((await known()).toSorted(), ["b", "c"]);
  removeC();
  assert.deepEqual(await known(), ["b"]);
  const removeD = open("d");
  removeB();
  assert.deepEqual(await known(), ["d"]);
  removeD();
  assert.equal(inFlight.size, 0);
});

it("is idle when the last request is settled", async () => {
  const inFlight = new InFlightRequests();
  const [removeA, removeB] = [inFlight.add(relay("a")), inFlight.add(relay("b"))];
  let isIdle = false;
  const idle = inFlight.idle().then(() => (isIdle = true));
  removeA();
  await Promise.resolve();
  assert.equal(isIdle, false);
  removeB();
  await idle;
});
