import assert from "node:assert/strict";
import { it } from "node:test";
import { createLog } from "../../platform/logging/create-log.ts";
import type { FreeLogRow } from "@one-api/ledger/ledger";
import { createTestClock } from "../../testing/test-clock.ts";
import { RelayError } from "../errors/index.ts";
import type { Caller } from "./caller-source.ts";
import { createRefusalLog, type RefusedCall } from "./refusal-log.ts";

const SECONDS = 60;
const CALLS_A_SECOND = 2_000;

function callerOf(tokenId: number): Caller {
  return {
    tokenId,
    tokenName: `token ${tokenId}`,
    tokenStatus: 1,
    expiredTime: -1,
    keyEndsAt: -1,
    keyHint: "",
    unlimitedQuota: false,
    budgets: undefined,
    models: undefined,
    networks: undefined,
    limits: { tokenId, requestsPerMinute: 0, imagesPerMinute: 0, modelTokensPerMinute: 0 },
    customContact: "",
    moderated: false,
    keepsBodies: false,
    userId: 1,
    username: "somebody",
    userRole: 1,
    userStatus: 1,
    groups: ["default"],
  };
}

/** One for all calls: an error notes where it was made, which costs more than all that is done with it here. */
const error = new RelayError({ status: 404, code: "model_not_found", message: "No." });

function refused(tokenId: number): RefusedCall {
  return { caller: callerOf(tokenId), requestId: "request", error, model: "none", stream: false, elapsedMs: 1 };
}

/** How many refusals a row stands for. */
function standsFor({ content }: FreeLogRow): number {
  return Number(/\((\d+) refusals/.exec(content)?.[1] ?? 1);
}

function start(writes: { fail: boolean } = { fail: false }) {
  const rows: FreeLogRow[] = [];
  const flagged: (readonly [number, number])[] = [];
  const clock = createTestClock();
  const log = createRefusalLog({
    clock,
    isOn: () => true,
    shortOfQuota: () => undefined,
    log: createLog("silent"),
    async writeLogs(some) {
      if (writes.fail) throw new Error("no database");
      rows.push(...some);
    },
    addFlagged: async (counts) => void flagged.push(...counts),
  });
  return { log, rows, flagged, clock };
}

it("writes at most one row in ten seconds for each token and code, and no refusal is lost from the count", async () => {
  const { log, rows, clock } = start();
  for (let second = 0; second < SECONDS; second += 1) {
    for (let call = 0; call < CALLS_A_SECOND; call += 1) log.note(refused(call % 5));
    clock.advanceSeconds(1);
    await log.flush();
  }
  await log.flush(true);
  for (let tokenId = 0; tokenId < 5; tokenId += 1) {
    const own = rows.filter(({ token_name }) => token_name === `token ${tokenId}`);
    assert.ok(own.length >= 6 && own.length <= 8, `${own.length} rows`);
    const told = own.reduce((sum, row) => sum + standsFor(row), 0);
    assert.equal(told, (SECONDS * CALLS_A_SECOND) / 5);
  }
});

it("keeps no more than a bounded number of rows in memory, however many tokens are refused", async () => {
  const { log, rows } = start();
  for (let tokenId = 0; tokenId < 100_000; tokenId += 1) log.note(refused(tokenId));
  await log.flush();
  assert.equal(rows.length, 2_000);
});

it("tells a lone refusal once and forgets it", async () => {
  const { log, rows, clock } = start();
  for (let round = 0; round < 3; round += 1) {
    log.note(refused(1));
    for (let second = 0; second < 11; second += 1) {
      clock.advanceSeconds(1);
      await log.flush();
    }
  }
  assert.deepEqual(rows.map(standsFor), [1, 1, 1]);
});

it("drops what cannot be written, and goes on", async () => {
  const writes = { fail: true };
  const { log, rows } = start(writes);
  log.note(refused(1));
  await log.flush();
  writes.fail = false;
  log.note(refused(2));
  await log.flush();
  assert.deepEqual(
    rows.map(({ token_name }) => token_name),
    ["token 2"],
  );
});

it("adds flagged prompts up by token", async () => {
  const { log, flagged } = start();
  for (const tokenId of [1, 2, 1]) log.countFlagged(tokenId);
  await log.flush();
  await log.flush();
  assert.deepEqual(flagged, [
    [1, 2],
    [2, 1],
  ]);
});
