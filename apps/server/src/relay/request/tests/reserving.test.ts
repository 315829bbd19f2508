import assert from "node:assert/strict";
import { it } from "node:test";
import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import type { ReserveOutcome } from "@one-api/ledger/ledger";
import { ANSWER, CHAT } from "../testing/openai-messages.ts";
import { REQUEST_ID, settle, startRequest } from "../testing/start-request.ts";

const REMAINING = "x-ratelimit-remaining-tokens";

it("reserving: reserved", async (t) => {
  const { caller, ledger, upstream, response } = startRequest(t);
  ledger.reserving = "later";
  caller.sends(CHAT);
  await settle();
  assert.equal(upstream.exchanges.length, 0, "no provider is called before the reservation");
  assert.ok((ledger.reservations[0]?.amount ?? 0) > 0);
  ledger.answer();
  await settle();
  upstream.current.whole(ANSWER);
  await settle();
  assert.equal(response.status, 200);
});

it("reserving: reservation refused", async (t) => {
  const budget = { amount: 5, period: "daily", left: 1, renewsAt: Date.UTC(2025, 5, 2) / 1_000 } as const;
  const outcomes: readonly (readonly [ReserveOutcome, number])[] = [
    [{ ok: false, refusal: "user-quota" }, 403],
    [{ ok: false, refusal: "token-budget", budget }, 429],
    [{ ok: false, refusal: "held-elsewhere", retryAfterSeconds: 3 }, 503],
  ];
  for (const [outcome, status] of outcomes) {
    const { caller, ledger, upstream, response, inFlight, bodyMemory, refusals, standing } = startRequest(t);
    ledger.outcome = outcome;
    ledger.balance = 1;
    caller.sends(CHAT);
    await settle();
    assert.deepEqual([response.status, inFlight.size, bodyMemory.taken.all, refusals.length], [status, 0, 0, 1]);
    assert.deepEqual([upstream.exchanges.length, ledger.settlements.length], [0, 0]);
    assert.equal(standing()[REMAINING], "100000");
  }
});

it("reserving: database unavailable", async (t) => {
  const { caller, ledger, upstream, response, inFlight, bodyMemory } = startRequest(t);
  ledger.reserving = new DatabaseUnavailableError("away");
  caller.sends(CHAT);
  await settle();
  assert.deepEqual([response.status, inFlight.size, bodyMemory.taken.all], [503, 0, 0]);
  assert.deepEqual(ledger.released, [REQUEST_ID], "the reservation may exist");
  assert.equal(upstream.exchanges.length, 0);
});

it("reserving: caller gone", async (t) => {
  const { caller, ledger, upstream, response, inFlight, bodyMemory, standing } = startRequest(t);
  ledger.reserving = "later";
  caller.sends(CHAT);
  await settle();
  caller.leaves();
  assert.deepEqual([inFlight.size, ledger.released], [1, []], "the reservation may still be made");
  ledger.answer();
  await settle();
  assert.deepEqual(ledger.released, [REQUEST_ID]);
  assert.deepEqual([inFlight.size, bodyMemory.taken.all, standing()[REMAINING]], [0, 0, "100000"]);
  assert.equal(upstream.exchanges.length, 0);
  assert.deepEqual(response.calls, []);
});
