import assert from "node:assert/strict";
import { it } from "node:test";
import { ANSWER, CHAT, DONE, HELLO, IMAGE_STREAM, REPORT, STOP } from "../testing/openai-messages.ts";
import { type RequestSetup, serverEnds, settle, startRequest } from "../testing/start-request.ts";

/** A stream whose caller left after one piece, and whose provider has not reported its usage yet. */
async function startLingering(t: Parameters<typeof startRequest>[0], setup: RequestSetup = {}) {
  const started = startRequest(t, setup);
  started.caller.sends(IMAGE_STREAM);
  started.upstream.current.takes();
  started.upstream.current.head();
  started.upstream.current.piece(HELLO);
  await settle();
  started.caller.leaves();
  await settle();
  return started;
}

/** A caller of a whole answer left while the provider worked on it. */
async function startUnanswered(t: Parameters<typeof startRequest>[0]) {
  const started = startRequest(t);
  started.caller.sends({ ...CHAT, messages: IMAGE_STREAM.messages });
  started.upstream.current.takes();
  started.caller.leaves();
  await settle();
  assert.equal(started.upstream.current.aborted, false);
  return started;
}

it("lingering: piece", async (t) => {
  const { upstream, response, inFlight } = await startLingering(t);
  const before = [...response.calls];
  const checkpoint = inFlight.list()[0]?.checkpoint();
  upstream.current.piece(HELLO + HELLO);
  await settle();
  assert.deepEqual(response.calls, before);
  assert.deepEqual(inFlight.list()[0]?.checkpoint(), checkpoint, "what the caller never got costs nothing");
});

it("lingering: whole answer", async (t) => {
  const { upstream, inFlight, bodyMemory, response, settlement } = await startUnanswered(t);
  upstream.current.whole(ANSWER);
  await settle();
  const { log } = settlement();
  assert.deepEqual([log?.result, log?.prompt_tokens, log?.completion_tokens], ["caller-gone", 10, 0]);
  assert.deepEqual([inFlight.size, bodyMemory.taken.all, response.calls], [0, 0, []]);
});

it("lingering: provider end", async (t) => {
  const { upstream, inFlight, bodyMemory, settlement } = await startLingering(t);
  upstream.current.piece(STOP + REPORT + DONE);
  upstream.current.end();
  await settle();
  const { log } = settlement();
  assert.deepEqual([log?.result, log?.prompt_tokens, log?.completion_tokens], ["caller-gone", 10, 2]);
  assert.deepEqual([inFlight.size, bodyMemory.taken.all], [0, 0]);

  const unreported = await startLingering(t);
  unreported.upstream.current.piece(STOP + DONE);
  await settle();
  assert.deepEqual([unreported.settlement().log?.prompt_tokens, unreported.inFlight.size], [7, 0], "it is counted");

  const counted = await startLingering(t, { counts: "later" });
  counted.upstream.current.piece(STOP + DONE);
  await settle();
  counted.advance(60_000);
  await settle();
  assert.equal(counted.counts.asked, 1, "the timer has stopped");
});

it("lingering: failed before content", async (t) => {
  const { upstream, inFlight, settlement } = await startUnanswered(t);
  upstream.current.whole({ error: { message: "Overloaded" } }, 500);
  await settle();
  assert.deepEqual([settlement().charge, settlement().log?.result], [undefined, "caller-gone"]);
  assert.deepEqual([inFlight.size, upstream.exchanges.length], [0, 1], "nothing is tried for a caller that is gone");
});

it("lingering: failed after content", async (t) => {
  const { upstream, inFlight, settlement } = await startLingering(t);
  upstream.current.piece(REPORT);
  await settle();
  upstream.current.fail("UND_ERR_SOCKET");
  await settle();
  assert.deepEqual(
    [inFlight.size, settlement().log?.result, settlement().log?.completion_tokens],
    [0, "caller-gone", 2],
  );
});

it("lingering: silence timeout", async (t) => {
  const { upstream, inFlight, settlement } = await startLingering(t);
  upstream.current.fail("UND_ERR_BODY_TIMEOUT");
  await settle();
  assert.deepEqual([inFlight.size, settlement().log?.result, settlement().log?.prompt_tokens], [0, "caller-gone", 7]);
});

it("lingering: report timeout", async (t) => {
  const { upstream, inFlight, bodyMemory, advance, settlement, ledger } = await startLingering(t);
  advance(14_999);
  await settle();
  assert.equal(ledger.settlements.length, 0);
  advance(1);
  await settle();
  assert.equal(upstream.current.aborted, true);
  assert.deepEqual([inFlight.size, bodyMemory.taken.all, settlement().log?.prompt_tokens], [0, 0, 7]);
});

it("lingering: drain", async (t) => {
  const { upstream, inFlight, settlement } = await startLingering(t);
  inFlight.drain();
  await settle();
  assert.deepEqual([upstream.current.aborted, inFlight.size, settlement().log?.result], [true, 0, "caller-gone"]);
});

it("lingering: ended", async (t) => {
  const { upstream, inFlight, settlement } = await startLingering(t);
  inFlight.endAll(serverEnds());
  await settle();
  assert.deepEqual([upstream.current.aborted, inFlight.size, settlement().log?.result], [true, 0, "caller-gone"]);
});

it("lingering: fenced", async (t) => {
  const { upstream, response, inFlight, ledger, bodyMemory, counts, advance } = await startLingering(t);
  const before = [...response.calls];
  inFlight.endFenced();
  assert.deepEqual([upstream.current.aborted, inFlight.size, bodyMemory.taken.all], [true, 0, 0]);
  advance(60_000);
  await settle();
  assert.deepEqual([response.calls, ledger.released, ledger.settlements, counts.asked], [before, [], [], 0]);
});
