import assert from "node:assert/strict";
import { it } from "node:test";
import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import { ANSWER, CHAT, DONE, HELLO, REPORT, STOP, STREAM } from "../testing/openai-messages.ts";
import { settle, startRequest } from "../testing/start-request.ts";

type Context = Parameters<typeof startRequest>[0];

/** A whole answer whose charge is being committed. */
async function settleWhole(t: Context) {
  const started = startRequest(t);
  started.ledger.settling = "later";
  started.caller.sends(CHAT);
  started.upstream.current.whole(ANSWER);
  await settle();
  return started;
}

/** A stream whose charge is being committed. */
async function settleStream(t: Context) {
  const started = startRequest(t);
  started.ledger.settling = "later";
  started.caller.sends(STREAM);
  started.upstream.current.head();
  started.upstream.current.piece(HELLO);
  await settle();
  started.upstream.current.piece(STOP + REPORT + DONE);
  started.upstream.current.end();
  await settle();
  return started;
}

it("settling: commit done", async (t) => {
  const { ledger, response, inFlight, standing } = await settleWhole(t);
  assert.deepEqual([response.calls, inFlight.size], [[], 1]);
  assert.equal(await inFlight.checkpoints().then(({ length }) => length), 0, "the ledger owns the reservation");
  ledger.commit();
  await settle();
  assert.deepEqual([response.calls, inFlight.size], [["head 200", "end"], 0]);
  assert.equal(standing()["x-ratelimit-remaining-tokens"], "99970");
});

it("settling: commit unknown", async (t) => {
  const whole = await settleWhole(t);
  whole.advance(30_000);
  await settle();
  assert.deepEqual([whole.response.status, whole.inFlight.size], [503, 0]);
  whole.ledger.commit();
  await settle();
  assert.deepEqual(
    whole.ledger.settlements.map(({ charge }) => (charge ?? 0) > 0),
    [true, false],
    "what the caller never got is not charged",
  );

  const stream = await settleStream(t);
  stream.advance(30_000);
  await settle();
  assert.match(stream.response.text, /"stop".*could not be booked/s);
  assert.doesNotMatch(stream.response.text, /\[DONE\]/);
  stream.ledger.commit();
  await settle();
  assert.deepEqual(
    [stream.ledger.settlements.length, stream.inFlight.size],
    [1, 0],
    "a stream that began stays charged",
  );

  const failing = startRequest(t);
  failing.ledger.settling = new DatabaseUnavailableError("away");
  failing.caller.sends(CHAT);
  failing.upstream.current.whole(ANSWER);
  await settle();
  assert.deepEqual(failing.response.calls, []);
  failing.ledger.settling = "now";
  failing.advance(100);
  await settle();
  assert.deepEqual([failing.ledger.settlements.length, failing.inFlight.size], [2, 0], "it is settled again");
});

it("settling: nothing left to settle", async (t) => {
  const whole = await settleWhole(t);
  whole.ledger.isLive = false;
  whole.ledger.commit();
  await settle();
  assert.deepEqual([whole.response.status, whole.inFlight.size, whole.ledger.settlements.length], [503, 0, 1]);

  const stream = await settleStream(t);
  stream.ledger.isLive = false;
  stream.ledger.commit();
  await settle();
  assert.match(stream.response.text, /could not be booked/);
  assert.doesNotMatch(stream.response.text, /"stop"/);
  assert.equal(stream.inFlight.size, 0);
});

it("settling: caller gone", async (t) => {
  for (const start of [settleWhole, settleStream]) {
    const { caller, ledger, response, inFlight, settlement, bodyMemory } = await start(t);
    const before = [...response.calls];
    caller.leaves();
    await settle();
    assert.deepEqual([inFlight.size, bodyMemory.taken.all], [1, 0], "the charge is awaited, without the body");
    ledger.commit();
    await settle();
    assert.ok((settlement().charge ?? 0) > 0);
    assert.deepEqual([inFlight.size, bodyMemory.taken.all], [0, 0]);
    if (start === settleStream) assert.deepEqual(response.calls, before);
  }
});

it("settling: caller stalled", async (t) => {
  const { caller, upstream, response, ledger, inFlight, advance, endStalled } = startRequest(t);
  ledger.settling = "later";
  caller.sends(STREAM);
  upstream.current.head();
  response.isSlow = true;
  upstream.current.piece(HELLO);
  await settle();
  upstream.current.piece(STOP + REPORT + DONE);
  await settle();
  advance(60_000);
  endStalled();
  assert.equal(response.destroyed, true);
  ledger.commit();
  await settle();
  assert.deepEqual([ledger.settlements.length, inFlight.size], [1, 0]);
});
