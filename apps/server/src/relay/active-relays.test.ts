import assert from "node:assert/strict";
import { it } from "node:test";
import { ActiveRelays } from "./active-relays.ts";

it("knows which streams are open, whatever the order in which they end", () => {
  const active = new ActiveRelays();
  const open = (requestId: string) =>
    active.add({ checkpoint: () => ({ requestId, channelId: 1, delivered: 1 }), cutIfStalled: () => undefined });
  const known = () => active.checkpoints().map(({ requestId }) => requestId);
  const [removeA, removeB, removeC] = [open("a"), open("b"), open("c")];
  removeA();
  assert.deepEqual(known().toSorted(), ["b", "c"]);
  removeC();
  assert.deepEqual(known(), ["b"]);
  const removeD = open("d");
  removeB();
  assert.deepEqual(known(), ["d"]);
  removeD();
  assert.equal(active.size, 0);
});

it("is idle when the last work has ended, failed work included", async () => {
  const active = new ActiveRelays();
  let finish: () => void = () => undefined;
  const slow = active.run(() => new Promise<void>((resolve) => (finish = resolve)));
  const failing = active.run(() => Promise.reject(new Error("no")));
  let isIdle = false;
  const idle = active.idle().then(() => (isIdle = true));
  await assert.rejects(failing);
  assert.equal(isIdle, false);
  finish();
  await slow;
  await idle;
});
