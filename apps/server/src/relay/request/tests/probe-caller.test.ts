import assert from "node:assert/strict";
import { it } from "node:test";
import { HELLO, STREAM } from "../testing/openai-messages.ts";
import { settle, startRequest } from "../testing/start-request.ts";

it("probes a caller that sends nothing more by an interim response, then by comments in its stream", async (t) => {
  const { caller, upstream, response, inFlight, advance } = startRequest(t);
  caller.sends(STREAM);
  inFlight.halfClosed(caller.request.socket);
  assert.deepEqual(response.calls, ["interim"]);
  advance(25);
  advance(49);
  assert.equal(response.calls.length, 2);
  advance(1);
  assert.equal(response.calls.length, 3, "each pause is twice the one before");
  upstream.current.head();
  upstream.current.piece(HELLO);
  await settle();
  advance(100);
  assert.equal(response.text, `${HELLO}:\n\n`);
  caller.leaves();
  advance(60_000);
  assert.equal(response.text, `${HELLO}:\n\n`);
});
