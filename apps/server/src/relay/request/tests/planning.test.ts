import assert from "node:assert/strict";
import { it } from "node:test";
import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import { limitsOf } from "../../../features/limits/index.ts";
import { RelayError } from "../../errors/index.ts";
import { ANSWER, CHAT } from "../testing/openai-messages.ts";
import { settle, startRequest } from "../testing/start-request.ts";

const REMAINING = "x-ratelimit-remaining-tokens";

it("planning: candidates found", async (t) => {
  const { plans, caller, upstream, ledger, response } = startRequest(t, { plans: "later" });
  caller.sends(CHAT);
  await settle();
  assert.equal(ledger.reservations.length, 0);
  plans.answer();
  await settle();
  assert.equal(ledger.reservations.length, 1);
  upstream.current.whole(ANSWER);
  await settle();
  assert.equal(response.status, 200);
});

it("planning: request refused", async (t) => {
  const unknown = new RelayError({ status: 404, code: "model_not_found", message: "No such model." });
  for (const [setup, status] of [
    [{ plans: unknown }, 404],
    [{ caller: { models: new Set(["another"]) } }, 403],
    [{ caller: { limits: limitsOf({ id: 3, tpm_limit: 1 }) } }, 200],
  ] as const) {
    const request = startRequest(t, setup);
    request.caller.sends(CHAT);
    if (status === 200) request.upstream.current.whole(ANSWER);
    await settle();
    assert.deepEqual([request.response.status, request.inFlight.size, request.bodyMemory.taken.all], [status, 0, 0]);
    assert.equal(request.refusals.length, status === 200 ? 0 : 1);
    if (status !== 200) assert.equal(request.ledger.reservations.length, 0);
  }
});

it("planning: database unavailable", async (t) => {
  const { caller, response, inFlight, bodyMemory, standing } = startRequest(t, {
    plans: new DatabaseUnavailableError("away"),
  });
  caller.sends(CHAT);
  await settle();
  assert.deepEqual([response.status, inFlight.size, bodyMemory.taken.all], [503, 0, 0]);
  assert.equal(standing()[REMAINING], "100000", "the admission is settled with 0");
});

it("planning: caller gone", async (t) => {
  const { plans, caller, ledger, response, inFlight, bodyMemory, standing } = startRequest(t, { plans: "later" });
  caller.sends(CHAT);
  await settle();
  assert.notEqual(standing()[REMAINING], "100000");
  caller.leaves();
  assert.deepEqual([inFlight.size, bodyMemory.taken.all, standing()[REMAINING]], [0, 0, "100000"]);
  plans.answer();
  await settle();
  assert.equal(ledger.reservations.length, 0);
  assert.deepEqual(response.calls, []);
});

it("leaves the queue of a limit with its caller", async (t) => {
  const limits = limitsOf({ id: 3, concurrent_limit: 1 });
  const { caller, ledger, limiter, inFlight, bodyMemory } = startRequest(t, { caller: { limits }, queueMs: 2_000 });
  const running = limiter.admit(limits);
  assert.ok(!(running instanceof Promise));
  caller.sends(CHAT);
  await settle();
  assert.deepEqual([inFlight.size, ledger.reservations.length], [1, 0]);
  caller.leaves();
  assert.deepEqual([inFlight.size, bodyMemory.taken.all], [0, 0]);
  running.settle(0);
  await settle();
  assert.equal(ledger.reservations.length, 0);
  assert.ok(!(limiter.admit(limits) instanceof Promise), "nothing holds the slot");
});

it("goes on once a running request ends", async (t) => {
  const limits = limitsOf({ id: 3, concurrent_limit: 1 });
  const { caller, upstream, limiter, response } = startRequest(t, { caller: { limits }, queueMs: 2_000 });
  const running = limiter.admit(limits);
  assert.ok(!(running instanceof Promise));
  caller.sends(CHAT);
  await settle();
  running.settle(0);
  await settle();
  assert.throws(() => limiter.admit(limits), /at the same time/);
  upstream.current.whole(ANSWER);
  await settle();
  assert.equal(response.status, 200);
  assert.ok(!(limiter.admit(limits) instanceof Promise), "the slot is given back");
});
