import assert from "node:assert/strict";
import { it } from "node:test";
import { DONE, HELLO, IMAGE_STREAM, REPORT, STOP, STREAM } from "../testing/openai-messages.ts";
import { type RequestSetup, serverEnds, settle, startRequest } from "../testing/start-request.ts";

/** A stream of which one piece has passed. */
async function startStream(t: Parameters<typeof startRequest>[0], setup: RequestSetup = {}, body: object = STREAM) {
  const started = startRequest(t, setup);
  started.caller.sends(body);
  started.upstream.current.takes();
  started.upstream.current.head();
  started.upstream.current.piece(HELLO);
  await settle();
  return started;
}

it("streaming: piece", async (t) => {
  const { caller, upstream, response, inFlight } = await startStream(t);
  response.isSlow = true;
  upstream.current.piece(HELLO);
  await settle();
  assert.deepEqual(response.calls, ["head 200", "write", "write"]);
  assert.equal(upstream.current.paused, true, "no faster than the caller takes it");
  caller.takesAll();
  assert.equal(upstream.current.paused, false);
  const checkpoint = inFlight.list()[0]?.checkpoint();
  assert.ok((checkpoint?.delivered ?? 0) > 0);
  assert.equal(checkpoint?.log?.completion_tokens, 4);
});

it("streaming: provider end", async (t) => {
  const { upstream, response, ledger, inFlight, bodyMemory, succeeded, settlement } = await startStream(t);
  ledger.settling = "later";
  upstream.current.piece(STOP + REPORT + DONE);
  upstream.current.end();
  await settle();
  assert.equal(response.calls.length, 2, "nothing of the end leaves before the commit");
  assert.deepEqual([settlement().log?.result, settlement().log?.completion_tokens], ["ok", 20]);
  ledger.commit();
  await settle();
  assert.deepEqual(response.calls, ["head 200", "write", "end"]);
  assert.match(response.text, /"stop".*\[DONE\]/s);
  assert.deepEqual([inFlight.size, bodyMemory.taken.all, succeeded], [0, 0, [1]]);

  const unreported = await startStream(t, { counts: "later" });
  unreported.upstream.current.piece(STOP + DONE);
  await settle();
  assert.equal(unreported.ledger.settlements.length, 0, "it is counted first");
});

it("streaming: failed after content", async (t) => {
  const { upstream, response, ledger, inFlight, failed, settlement } = await startStream(t);
  ledger.settling = "later";
  upstream.current.fail("UND_ERR_SOCKET");
  await settle();
  assert.deepEqual(failed, [1]);
  assert.deepEqual([settlement().log?.result, settlement().log?.completion_tokens], ["cut", 2]);
  assert.doesNotMatch(response.text, /error/, "the error leaves after the commit");
  ledger.commit();
  await settle();
  assert.match(response.text, /upstream_failed/);
  assert.deepEqual([inFlight.size, upstream.exchanges.length], [0, 1], "no retry after content");
});

it("streaming: silence timeout", async (t) => {
  const { upstream, response, inFlight, settlement } = await startStream(t);
  upstream.current.fail("UND_ERR_BODY_TIMEOUT");
  await settle();
  assert.match(response.text, /upstream_timeout/);
  assert.deepEqual([inFlight.size, settlement().log?.result], [0, "cut"]);
});

it("streaming: caller gone", async (t) => {
  const seen = await startStream(t);
  seen.caller.leaves();
  await settle();
  assert.equal(seen.upstream.current.aborted, true);
  assert.deepEqual([seen.settlement().log?.result, seen.settlement().log?.completion_tokens], ["caller-gone", 2]);
  assert.deepEqual([seen.inFlight.size, seen.bodyMemory.taken.all], [0, 0]);

  const hidden = await startStream(t, {}, IMAGE_STREAM);
  hidden.caller.leaves();
  await settle();
  assert.deepEqual([hidden.upstream.current.aborted, hidden.ledger.settlements.length], [false, 0]);
  assert.ok(hidden.bodyMemory.taken.all > 0, "a request that lingers takes its memory");

  const unwaited = await startStream(t, { timeouts: { reportMs: 0 } }, IMAGE_STREAM);
  unwaited.caller.leaves();
  await settle();
  assert.deepEqual([unwaited.upstream.current.aborted, unwaited.settlement().log?.result], [true, "caller-gone"]);

  const draining = await startStream(t, {}, IMAGE_STREAM);
  draining.inFlight.drain();
  draining.caller.leaves();
  await settle();
  assert.deepEqual([draining.upstream.current.aborted, draining.settlement().log?.result], [true, "caller-gone"]);
});

it("streaming: caller stalled", async (t) => {
  const unwaited = await startStream(t, { timeouts: { reportMs: 0 } });
  unwaited.response.isSlow = true;
  unwaited.upstream.current.piece(HELLO);
  await settle();
  unwaited.advance(59_999);
  unwaited.endStalled();
  assert.equal(unwaited.upstream.current.aborted, false);
  unwaited.advance(1);
  unwaited.endStalled();
  await settle();
  const { upstream, response, inFlight, settlement } = unwaited;
  assert.deepEqual([upstream.current.aborted, response.destroyed, inFlight.size], [true, true, 0]);
  assert.equal(settlement().log?.result, "caller-gone");

  const hidden = await startStream(t);
  hidden.response.isSlow = true;
  hidden.upstream.current.piece(HELLO);
  await settle();
  hidden.advance(60_000);
  hidden.endStalled();
  await settle();
  assert.deepEqual([hidden.response.destroyed, hidden.upstream.current.aborted], [true, false]);
  assert.equal(hidden.upstream.current.paused, false, "the pause may hide reasoning, so the report is read");
});

it("streaming: ended", async (t) => {
  const { upstream, response, inFlight, ledger, settlement } = await startStream(t);
  ledger.settling = "later";
  inFlight.endAll(serverEnds());
  await settle();
  assert.equal(upstream.current.aborted, true);
  assert.equal(settlement().log?.result, "cut");
  assert.doesNotMatch(response.text, /stopping/);
  ledger.commit();
  await settle();
  assert.match(response.text, /The gateway is stopping/);
  assert.equal(inFlight.size, 0);
});

it("streaming: fenced", async (t) => {
  const { upstream, response, inFlight, ledger, bodyMemory, stored } = await startStream(t);
  inFlight.endFenced();
  await settle();
  assert.equal(upstream.current.aborted, true);
  assert.match(response.text, /Good day.*could not be booked/s);
  assert.deepEqual([ledger.released, ledger.settlements, stored], [[], [], ["stored"]]);
  assert.deepEqual([inFlight.size, bodyMemory.taken.all], [0, 0]);
});
