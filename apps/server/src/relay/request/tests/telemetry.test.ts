import assert from "node:assert/strict";
import { it } from "node:test";
import { ANSWER, CHAT, DONE, HELLO, REPORT, STOP, STREAM } from "../testing/openai-messages.ts";
import { serverEnds, settle, startRequest } from "../testing/start-request.ts";

it("the overhead of a whole answer is its duration without upload and providers", async (t) => {
  const { caller, upstream, ledger, response, advance, ended } = startRequest(t);
  ledger.settling = "later";
  advance(7_000);
  caller.sends(CHAT);
  advance(300);
  upstream.current.fail("UND_ERR_SOCKET");
  await settle();
  advance(400);
  upstream.current.whole(ANSWER);
  await settle();
  advance(25);
  ledger.commit();
  await settle();
  assert.equal(response.headers["server-timing"], "gateway;dur=25.00");
  const [request] = ended;
  assert.deepEqual([ended.length, request?.gatewayMs, request?.elapsedMs], [1, 25, 7_725]);
  assert.deepEqual([request?.result, request?.attempts.length, request?.route?.id], ["ok", 2, 2]);
  assert.equal(request?.charge, ledger.settlements[0]?.charge);
  assert.deepEqual(request?.usage, { promptTokens: 10, cachedTokens: 0, completionTokens: 20 });
});

it("the overhead of a stream does not include its pieces, and a stream has no header for it", async (t) => {
  const { caller, upstream, response, advance, ended } = startRequest(t);
  caller.sends(STREAM);
  advance(500);
  upstream.current.piece(HELLO);
  await settle();
  advance(2_000);
  upstream.current.piece(STOP + REPORT + DONE);
  upstream.current.end();
  await settle();
  assert.deepEqual([ended.length, ended[0]?.gatewayMs, ended[0]?.firstByteMs, ended[0]?.result], [1, 0, 500, "ok"]);
  assert.equal(response.headers["server-timing"], undefined);
});

it("a request that fails, is refused or is left is described once", async (t) => {
  const ends = async (run: (started: ReturnType<typeof startRequest>) => Promise<void>, setup = {}) => {
    const started = startRequest(t, setup);
    await run(started);
    await settle();
    return started.ended.map(({ result, end, statusCode, route }) => [result, end, statusCode, route?.id]);
  };
  const failed = await ends(async ({ caller, upstream }) => {
    caller.sends(CHAT);
    upstream.current.whole({ error: { message: "Overloaded" } }, 503);
    await settle();
    upstream.current.whole({ error: { message: "no" } }, 400);
  });
  assert.deepEqual(failed, [["provider-refused", "bad-request", 400, 2]]);
  const unknown = await ends(async ({ caller }) => caller.sends(CHAT), { isKeyKnown: false });
  assert.deepEqual(unknown, [["refused", "invalid_api_key", 401, undefined]]);
  const left = await ends(async ({ caller, upstream }) => {
    caller.sends(STREAM);
    upstream.current.piece(HELLO);
    await settle();
    caller.leaves();
  });
  assert.deepEqual(left, [["caller-gone", "caller-gone", 200, 1]]);
  const stopped = await ends(async ({ caller, inFlight }) => {
    caller.sends(CHAT);
    await settle();
    inFlight.endAll(serverEnds());
  });
  assert.deepEqual(stopped, [["refused", "unavailable", 503, undefined]]);
  const unbooked = await ends(async ({ caller, ledger, upstream, advance }) => {
    ledger.settling = "later";
    caller.sends(CHAT);
    upstream.current.whole(ANSWER);
    await settle();
    advance(30_000);
  });
  assert.deepEqual(unbooked, [["gateway-failed", "unbooked", 200, 1]]);
});
