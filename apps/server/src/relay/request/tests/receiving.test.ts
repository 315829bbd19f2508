import assert from "node:assert/strict";
import { it } from "node:test";
import { CHAT } from "../testing/openai-messages.ts";
import { settle, startRequest } from "../testing/start-request.ts";

it("receiving: body complete", async (t) => {
  const { caller, upstream, inFlight } = startRequest(t);
  const text = JSON.stringify(CHAT);
  caller.sendsPiece(text.slice(0, 20));
  assert.deepEqual(inFlight.list()[0]?.parties, undefined, "the model is not known yet");
  caller.sendsPiece(text.slice(20));
  assert.equal(upstream.exchanges.length, 0);
  caller.request.emit("end");
  await settle();
  assert.equal(inFlight.list()[0]?.parties?.model, CHAT.model);
  assert.equal(upstream.exchanges.length, 1);
});

it("receiving: body refused", async (t) => {
  for (const [body, status, text] of [
    ["{", 400, "JSON"],
    ['{"messages":[]}', 400, '"param":"model"'],
    [" ".repeat(33 * 1024 * 1024), 413, "body_too_large"],
  ] as const) {
    const request = startRequest(t, { bodyBytes: 64 * 1024 * 1024 });
    request.caller.sendsPiece(body);
    request.caller.request.emit("end");
    await settle();
    assert.equal(request.response.status, status);
    assert.ok(request.response.text.includes(text));
    assert.deepEqual([request.inFlight.size, request.bodyMemory.taken.all], [0, 0]);
    assert.deepEqual(
      request.refusals.map(({ error: refused }) => refused.status),
      [status],
    );
  }

  const full = startRequest(t, { bodyBytes: 100 });
  full.caller.sendsPiece(JSON.stringify(CHAT).padEnd(200));
  await settle();
  assert.deepEqual([full.response.status, full.inFlight.size, full.bodyMemory.taken.all], [503, 0, 0]);

  const length = 2 * 1024 * 1024;
  const long = startRequest(t, { bodyBytes: 2 * length, headers: { "content-length": `${length}` } });
  const returned = t.mock.method(long.bodyBuffers, "put");
  long.caller.sendsPiece("[".padEnd(length));
  long.caller.request.complete = true;
  long.caller.request.emit("end");
  await settle();
  assert.deepEqual([long.response.status, long.inFlight.size, returned.mock.callCount()], [400, 0, 1]);

  const slow = startRequest(t);
  slow.caller.sendsPiece("{");
  slow.advance(20_000);
  await settle();
  assert.deepEqual([slow.response.status, slow.inFlight.size, slow.bodyMemory.taken.all], [408, 0, 0]);
});

it("receiving: caller gone", async (t) => {
  const { caller, response, inFlight, bodyMemory } = startRequest(t);
  caller.sendsPiece('{"model":');
  assert.equal(bodyMemory.taken.all, 9);
  caller.leaves();
  await settle();
  assert.deepEqual([inFlight.size, bodyMemory.taken.all], [0, 0]);
  assert.deepEqual(response.calls, []);
});
