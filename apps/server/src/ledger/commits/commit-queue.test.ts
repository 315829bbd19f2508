import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { CommitQueue } from "./commit-queue.ts";
import type { LedgerOperation, LedgerOutcome } from "./run-ledger-group.ts";

/** Long enough for some turns of the event loop on any machine. */
const GATHER_MS = 300;

function operation(requestId: string): LedgerOperation {
  const payer = { userId: 1, tokenId: 1, tokenUnlimited: true };
  return { kind: "reserve", reservation: { ...payer, requestId, amount: 1, createdAt: 1 } };
}

/** A queue whose first group ends when it is told to, and the sizes of its groups. */
function startQueue(gatherMs?: number) {
  const first = Promise.withResolvers<void>();
  const groups: number[] = [];
  const queue = new CommitQueue(async (group) => {
    groups.push(group.length);
    if (groups.length === 1) await first.promise;
    return group.map((): LedgerOutcome => ({ kind: "reserve", outcome: { ok: true } }));
  }, gatherMs);
  const results: Promise<LedgerOutcome>[] = [];
  const add = (count: number) => {
    for (let index = 0; index < count; index += 1) results.push(queue.run(operation(`request-${results.length}`)));
  };
  return { groups, add, endFirst: first.resolve, all: () => Promise.all(results) };
}

/** Some come while the first group is under way, and others some turns of the event loop after its end. */
async function comeLate(few: number, gatherMs?: number): Promise<readonly number[]> {
  const { groups, add, endFirst, all } = startQueue(gatherMs);
  add(1);
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  add(few);
  endFirst();
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  add(2);
  await all();
  return groups;
}

describe("a queue that gathers", () => {
  it("lets several wait for those who come a moment later", async () => {
    assert.deepEqual(await comeLate(3, GATHER_MS), [1, 5]);
  });

  it("lets nobody wait who is alone or with one other, nor many", async () => {
    assert.deepEqual(await comeLate(2, GATHER_MS), [1, 2, 2]);
    assert.deepEqual(await comeLate(24, GATHER_MS), [1, 24, 2]);
  });
});

it("takes what is there at the next turn, where it is not told to gather", async () => {
  assert.deepEqual(await comeLate(3), [1, 3, 2]);
});
