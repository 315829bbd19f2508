import assert from "node:assert/strict";
import { test } from "node:test";
import { Outages } from "./outages.ts";

test("an outage lasts from the first failed check to the first that succeeds", () => {
  const outages = new Outages();
  outages.note({ at: 10, reason: "", failedWrites: 0 });
  assert.deepEqual(outages.all, []);
  outages.note({ at: 20, reason: "out of reach", failedWrites: 1 });
  outages.note({ at: 30, reason: "still out of reach", failedWrites: 5 });
  const outage = { startedAt: 20, failedWrites: 5, reason: "still out of reach" };
  assert.deepEqual(outages.all, [{ ...outage, endedAt: 0 }]);
  outages.note({ at: 40, reason: "", failedWrites: 5 });
  outages.note({ at: 50, reason: "", failedWrites: 5 });
  assert.deepEqual(outages.all, [{ ...outage, endedAt: 40 }]);
});

test("failed writes between two checks that succeed are an outage; neighbouring ones are joined", () => {
  const outages = new Outages();
  outages.note({ at: 10, reason: "", failedWrites: 0 });
  outages.note({ at: 20, reason: "", failedWrites: 2 });
  outages.note({ at: 30, reason: "", failedWrites: 3 });
  outages.note({ at: 40, reason: "", failedWrites: 3 });
  outages.note({ at: 50, reason: "", failedWrites: 4 });
  assert.deepEqual(outages.all, [
    { startedAt: 40, endedAt: 50, failedWrites: 1, reason: "" },
    { startedAt: 10, endedAt: 30, failedWrites: 3, reason: "" },
  ]);
});

test("the newest twenty are remembered", () => {
  const outages = new Outages();
  for (let at = 1; at <= 50; at += 1) outages.note({ at, reason: at % 2 === 0 ? "" : "down", failedWrites: 0 });
  assert.deepEqual([outages.all.length, outages.all[0]?.startedAt, outages.all.at(-1)?.startedAt], [20, 49, 11]);
});
