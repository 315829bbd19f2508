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
    limits: undefined,
    customContact: "",
    moderated: false,
    storesBodies: false,
    userId: 1,
    username: "alice",
    userRole: 1,
    userStatus: 1,
    groups: ["default"],
    groupFailover: false,
  };
}

/** One error for all calls: creating one costs more than the rest of the test. */
const error = new RelayError({ status: 404, code: "model_not_found", message: "No." });

function refused(tokenId: number): RefusedCall {
  return { caller: callerOf(tokenId), requestId: "request", error, model: "none", stream: false, elapsedMs: 1 };
}

/** Refusals that a row represents. */
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
    for (let call = 0; call < CALLS_A_SECOND; call += 1) log.record(refused(call % 5));
    clock.advanceSeconds(1);
    await log.flush();
  }
  await log.flush(true);
  for (let tokenId = 0; tokenId < 5; tokenId += 1) {
    const ofToken = rows.filter(({ token_name }) => token_name === `token ${tokenId}`);
    assert.ok(ofToken.length >= 6 && ofToken.length <= 8, `${ofToken.length} rows`);
    const counted = ofToken.reduce((sum, row) => sum + standsFor(row), 0);
    assert.equal(counted, (SECONDS * CALLS_A_SECOND) / 5);
  }
});

it("counts refusals for want of a price by model", async () => {
  const { log, rows } = start();
  const noPrice = new RelayError({ status: 403, code: "model_without_price", message: "No." });
  for (const model of ["one", "two", "one", "two", "one"]) log.record({ ...refused(1), error: noPrice, model });
  await log.flush(true);
  const counted = (model: string) =>
    rows.filter((row) => row.model_name === model).reduce((sum, row) => sum + standsFor(row), 0);
  assert.deepEqual([counted("one"), counted("two")], [3, 2]);
});

it("limits the rows in memory for any number of refused tokens", async () => {
  const { log, rows } = start();
  for (let tokenId = 0; tokenId < 100_000; tokenId += 1) log.record(refused(tokenId));
  await log.flush();
  assert.equal(rows.length, 2_000);
});

it("writes a single refusal once and forgets it", async () => {
  const { log, rows, clock } = start();
  for (let round = 0; round < 3; round += 1) {
    log.record(refused(1));
    for (let second = 0; second < 11; second += 1) {
      clock.advanceSeconds(1);
      await log.flush();
    }
  }
  assert.deepEqual(rows.map(standsFor), [1, 1, 1]);
});

it("drops rows that cannot be written, and continues", async () => {
  const writes = { fail: true };
  const { log, rows } = start(writes);
  log.record(refused(1));
  await log.flush();
  writes.fail = false;
  log.record(refused(2));
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
