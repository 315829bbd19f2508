import assert from "node:assert/strict";
import { it } from "node:test";
import { type ActiveRelay, ActiveRelays } from "./in-flight-requests.ts";

function relay(requestId: string): ActiveRelay {
  return {
    checkpoint: () => ({ requestId, channelId: 1, delivered: 1 }),
    cutIfStalled: () => undefined,
    parties: undefined,
    socket: undefined,
    halfClosed: () => undefined,
    end: () => undefined,
  };
}

it("knows which streams are open, whatever the order in which they end", async () => {
  const active = new ActiveRelays();
  const open = (requestId: string) => active.add(relay(requestId));
  const known = async () => (await active.checkpoints()).map(({ requestId }) => requestId);
  const [removeA, removeB, removeC] = [open("a"), open("b"), open("c")];
  removeA();
  assert.deepEqual((await known()).toSorted(), ["b", "c"]);
  removeC();
  assert.deepEqual(await known(), ["b"]);
  const removeD = open("d");
  removeB();
  assert.deepEqual(await known(), ["d"]);
  removeD();
  assert.equal(active.size, 0);
});

it("is idle when the last request is settled", async () => {
  const active = new ActiveRelays();
  const [removeA, removeB] = [active.add(relay("a")), active.add(relay("b"))];
  let isIdle = false;
  const idle = active.idle().then(() => (isIdle = true));
  removeA();
  await Promise.resolve();
  assert.equal(isIdle, false);
  removeB();
  await idle;
});
