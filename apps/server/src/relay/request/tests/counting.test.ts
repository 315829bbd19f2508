import assert from "node:assert/strict";
import { it } from "node:test";
import { CHAT, DONE, HELLO, STOP, STREAM, UNREPORTED } from "../testing/openai-messages.ts";
import { REQUEST_ID, serverEnds, settle, startRequest } from "../testing/start-request.ts";

type Context = Parameters<typeof startRequest>[0];

/** A whole answer without a report, whose prompt is being counted. */
async function countWhole(t: Context) {
  const started = startRequest(t, { counts: "later" });
  started.caller.sends(CHAT);
  started.upstream.current.whole(UNREPORTED);
  await settle();
  assert.equal(started.ledger.settlements.length, 0);
  return started;
}

/** A stream that ended without a report, whose prompt is being counted. */
async function countStream(t: Context) {
  const started = startRequest(t, { counts: "later" });
  started.caller.sends(STREAM);
  started.upstream.current.takes();
  started.upstream.current.head();
  started.upstream.current.piece(HELLO);
  await settle();
  started.upstream.current.piece(STOP + DONE);
  started.upstream.current.end();
  await settle();
  assert.equal(started.ledger.settlements.length, 0);
  return started;
}

it("counting: usage counted", async (t) => {
  const whole = await countWhole(t);
  whole.counts.answer();
  await settle();
  const { log } = whole.settlement();
  assert.deepEqual([log?.result, log?.prompt_tokens, log?.completion_tokens], ["ok", 7, 2]);
  assert.deepEqual([whole.response.status, whole.inFlight.size], [200, 0]);

  const stream = await countStream(t);
  assert.notEqual(stream.inFlight.list()[0]?.checkpoint(), undefined);
  stream.counts.answer();
  await settle();
  assert.deepEqual([stream.settlement().log?.result, stream.settlement().log?.prompt_tokens], ["ok", 7]);
  assert.match(stream.response.text, /\[DONE\]/);
  assert.equal(stream.inFlight.size, 0);
});

it("counting: count failed", async (t) => {
  const whole = await countWhole(t);
  whole.counts.fail(new Error("The counting thread died."));
  await settle();
  assert.deepEqual([whole.response.status, whole.inFlight.size], [500, 0]);
  assert.deepEqual([whole.settlement().charge, whole.settlement().log?.result], [undefined, "gateway-failed"]);

  const stream = await countStream(t);
  stream.counts.fail(new Error("The counting thread died."));
  await settle();
  assert.match(stream.response.text, /\[DONE\]/);
  assert.deepEqual([stream.settlement().log?.result, stream.inFlight.size], ["ok", 0]);
  assert.ok((stream.settlement().charge ?? 0) > 0, "what was delivered is charged by an estimate");
});

it("counting: caller gone", async (t) => {
  const whole = await countWhole(t);
  whole.caller.leaves();
  whole.counts.answer();
  await settle();
  assert.equal(whole.settlement().log?.prompt_tokens, 7, "an answer that has come is charged");
  assert.equal(whole.inFlight.size, 0);

  const stream = await countStream(t);
  const before = [...stream.response.calls];
  stream.caller.leaves();
  stream.counts.answer();
  await settle();
  assert.ok((stream.settlement().charge ?? 0) > 0);
  assert.equal(stream.settlement().log?.result, "caller-gone", "the older count is void");
  assert.deepEqual([stream.response.calls, stream.inFlight.size], [before, 0]);
});

it("counting: caller stalled", async (t) => {
  const { caller, upstream, response, inFlight, counts, advance, endStalled, settlement } = startRequest(t, {
    counts: "later",
  });
  caller.sends(STREAM);
  upstream.current.head();
  response.isSlow = true;
  upstream.current.piece(HELLO);
  await settle();
  upstream.current.piece(STOP + DONE);
  await settle();
  advance(60_000);
  endStalled();
  counts.answer();
  await settle();
  assert.deepEqual([settlement().log?.result, settlement().log?.prompt_tokens], ["caller-gone", 7]);
  assert.equal(response.destroyed, true);
  caller.leaves();
  assert.equal(inFlight.size, 0);
});

it("counting: ended", async (t) => {
  const whole = await countWhole(t);
  whole.inFlight.endAll(serverEnds());
  whole.counts.answer();
  await settle();
  assert.deepEqual([whole.ledger.released, whole.ledger.settlements.length], [[REQUEST_ID], 0]);
  assert.deepEqual([whole.response.status, whole.inFlight.size], [503, 0]);

  const stream = await countStream(t);
  stream.inFlight.endAll(serverEnds());
  stream.counts.answer();
  await settle();
  assert.ok((stream.settlement().charge ?? 0) > 0);
  assert.equal(stream.settlement().log?.result, "cut", "the older count is void");
  assert.match(stream.response.text, /The gateway is stopping/);
  assert.deepEqual([stream.response.writableEnded, stream.inFlight.size], [true, 0]);

  const gone = await countStream(t);
  gone.caller.leaves();
  gone.inFlight.endAll(serverEnds());
  gone.counts.answer();
  await settle();
  assert.equal(gone.settlement().log?.result, "caller-gone", "nothing is ended for a caller that is gone");
});

it("counting: fenced", async (t) => {
  for (const [start, text] of [
    [countWhole, /cannot book requests/],
    [countStream, /could not be booked/],
  ] as const) {
    const { inFlight, counts, ledger, response, bodyMemory } = await start(t);
    inFlight.endFenced();
    counts.answer();
    await settle();
    assert.match(response.text, text);
    assert.deepEqual([ledger.settlements, ledger.released, inFlight.size, bodyMemory.taken.all], [[], [], 0, 0]);
  }
});
