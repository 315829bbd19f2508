import assert from "node:assert/strict";
import { it } from "node:test";
import { readDetail } from "../../../features/logs/index.ts";
import { ANSWER, CHAT, DONE, HELLO, REPORT, STOP, STREAM, UNREPORTED } from "../testing/openai-messages.ts";
import { REQUEST_ID, serverEnds, settle, startRequest } from "../testing/start-request.ts";

it("trying: moderation refuses", async (t) => {
  for (const [verdict, status] of [
    [{ results: [{ flagged: true }] }, 400],
    [{}, 503],
  ] as const) {
    const { caller, ledger, upstream, response, inFlight, refusals, stored } = startRequest(t, {
      caller: { moderated: true },
      hasModeration: true,
    });
    caller.sends(CHAT);
    await settle();
    upstream.current.whole(verdict);
    await settle();
    assert.deepEqual([response.status, inFlight.size, upstream.exchanges.length], [status, 0, 1]);
    assert.deepEqual([ledger.released, ledger.settlements.length], [[REQUEST_ID], 0]);
    assert.deepEqual([refusals.length, stored], [1, ["dropped"]]);
  }
});

it("trying: first byte", async (t) => {
  const { caller, upstream, response, advance, keepAlive, inFlight } = startRequest(t);
  caller.sends(STREAM);
  advance(20_000);
  keepAlive();
  assert.deepEqual(response.calls, [], "a provider that was only called may still be replaced by another status");
  upstream.current.takes();
  upstream.current.head();
  keepAlive();
  assert.deepEqual(response.calls, ["head 200", "write"]);
  keepAlive();
  assert.equal(response.calls.length, 2, "one comment in ten seconds");
  upstream.current.fail("UND_ERR_SOCKET");
  await settle();
  assert.equal(upstream.exchanges.length, 2, "another candidate may still be tried");
  upstream.current.head();
  upstream.current.piece(HELLO + STOP + REPORT + DONE);
  upstream.current.end();
  await settle();
  assert.match(response.text, /Good day.*\[DONE\]/s);
  assert.equal(inFlight.size, 0);
});

it("trying: first content", async (t) => {
  const { caller, upstream, response, advance, ledger, inFlight } = startRequest(t);
  caller.sends(STREAM);
  upstream.current.head();
  advance(700);
  assert.equal(inFlight.list()[0]?.checkpoint(), undefined);
  upstream.current.piece(HELLO);
  await settle();
  assert.deepEqual(response.calls, ["head 200", "write"]);
  assert.equal(response.headers["content-type"], "text/event-stream; charset=utf-8");
  assert.notEqual(inFlight.list()[0]?.checkpoint(), undefined);
  advance(300);
  upstream.current.piece(HELLO);
  await settle();
  upstream.current.piece(STOP + REPORT + DONE);
  await settle();
  const log = ledger.settlements[0]?.log;
  assert.equal(log?.first_byte_ms, 700);
  assert.equal(log && readDetail(JSON.parse(log.detail), log)?.attempts.length, 1, "the attempt is recorded once");
});

it("trying: whole answer", async (t) => {
  const { caller, upstream, response, ledger, inFlight, bodyMemory, succeeded, settlement, stored } = startRequest(t);
  ledger.settling = "later";
  caller.sends(CHAT);
  upstream.current.whole(ANSWER);
  await settle();
  assert.deepEqual(response.calls, [], "nothing leaves before the commit");
  const { charge = 0, log } = settlement();
  assert.ok(charge > 0);
  assert.deepEqual([log?.result, log?.prompt_tokens, log?.completion_tokens], ["ok", 10, 20]);
  ledger.commit();
  await settle();
  assert.deepEqual(response.calls, ["head 200", "end"]);
  assert.deepEqual(JSON.parse(response.text), ANSWER);
  assert.deepEqual([inFlight.size, bodyMemory.taken.all, succeeded, stored], [0, 0, [1], ["stored"]]);

  const unreported = startRequest(t, { counts: "later" });
  unreported.caller.sends(CHAT);
  unreported.upstream.current.whole(UNREPORTED);
  await settle();
  assert.equal(unreported.ledger.settlements.length, 0, "it is counted first");
});

it("trying: provider end", async (t) => {
  const { caller, upstream, response, inFlight, settlement } = startRequest(t);
  caller.sends(STREAM);
  upstream.current.head();
  upstream.current.piece(STOP + REPORT + DONE);
  upstream.current.end();
  await settle();
  assert.deepEqual([response.status, inFlight.size], [200, 0]);
  assert.match(response.text, /\[DONE\]/);
  assert.deepEqual([settlement().log?.result, settlement().log?.completion_tokens], ["ok", 20]);
});

it("trying: failed before content", async (t) => {
  const { caller, upstream, response, inFlight, failed, settlement } = startRequest(t);
  caller.sends(CHAT);
  upstream.current.whole({ error: { message: "Overloaded" } }, 500);
  await settle();
  assert.deepEqual([upstream.exchanges.length, failed], [2, [1]]);
  upstream.current.fail("ECONNREFUSED");
  await settle();
  assert.deepEqual([upstream.exchanges.length, failed], [2, [1, 2]], "no candidate is tried twice");
  assert.deepEqual([response.status, inFlight.size], [502, 0]);
  assert.deepEqual([settlement().charge, settlement().log?.result], [undefined, "connection"]);

  const faulty = startRequest(t);
  faulty.caller.sends(CHAT);
  faulty.upstream.current.whole({ error: { message: "Bad field" } }, 400);
  await settle();
  assert.deepEqual([faulty.upstream.exchanges.length, faulty.response.status], [1, 400], "others would refuse it, too");
});

it("trying: failed after content", async (t) => {
  const { caller, upstream, response, inFlight, ledger, failed, settlement } = startRequest(t);
  ledger.settling = "later";
  caller.sends(STREAM);
  upstream.current.head();
  upstream.current.piece(HELLO + 'data: {"error":{"message":"Overloaded","code":"server_error"}}\n\n');
  await settle();
  assert.match(response.text, /Good day/);
  assert.doesNotMatch(response.text, /error/);
  ledger.commit();
  await settle();
  assert.match(response.text, /error/);
  assert.deepEqual([inFlight.size, upstream.exchanges.length, failed], [0, 1, [1]]);
  const { charge = 0, log } = settlement();
  assert.ok(charge > 0);
  assert.equal(log?.result, "cut");
});

it("trying: silence timeout", async (t) => {
  const { caller, upstream, response, failed, settlement } = startRequest(t, { candidates: 1 });
  caller.sends(STREAM);
  upstream.current.fail("UND_ERR_HEADERS_TIMEOUT");
  await settle();
  assert.deepEqual([response.status, failed], [504, [1]]);
  assert.deepEqual([settlement().charge, settlement().log?.result], [undefined, "timeout"]);
});

it("trying: caller gone", async (t) => {
  const { caller, upstream, response, inFlight, bodyMemory, settlement } = startRequest(t);
  caller.sends(CHAT);
  caller.leaves();
  await settle();
  assert.equal(upstream.current.aborted, true, "the provider had not taken it");
  assert.deepEqual([settlement().charge, settlement().log?.result], [undefined, "caller-gone"]);
  assert.deepEqual([inFlight.size, bodyMemory.taken.all, response.calls], [0, 0, []]);

  const taken = startRequest(t, { timeouts: { reportMs: 0 } });
  taken.caller.sends(CHAT);
  taken.upstream.current.takes();
  taken.caller.leaves();
  await settle();
  assert.equal(taken.upstream.current.aborted, true);
  const { charge = 0, log } = taken.settlement();
  assert.ok(charge > 0, "the prompt is charged once a provider has it");
  assert.deepEqual([log?.result, log?.prompt_tokens, log?.completion_tokens], ["caller-gone", 7, 0]);
  assert.equal(taken.inFlight.size, 0);
});

it("trying: ended", async (t) => {
  const { caller, upstream, response, inFlight, ledger, bodyMemory, stored } = startRequest(t);
  caller.sends(CHAT);
  inFlight.endAll(serverEnds());
  await settle();
  assert.equal(upstream.current.aborted, true);
  assert.deepEqual([ledger.released, ledger.settlements.length], [[REQUEST_ID], 0]);
  assert.deepEqual([response.status, inFlight.size, bodyMemory.taken.all, stored], [503, 0, 0, ["dropped"]]);
});

it("trying: fenced", async (t) => {
  const { caller, upstream, response, inFlight, ledger, bodyMemory, stored } = startRequest(t);
  caller.sends(CHAT);
  inFlight.endFenced();
  await settle();
  assert.equal(upstream.current.aborted, true);
  assert.deepEqual([ledger.released, ledger.settlements], [[], []], "the reservation is void");
  assert.deepEqual([response.status, inFlight.size, bodyMemory.taken.all, stored], [503, 0, 0, ["dropped"]]);
});
