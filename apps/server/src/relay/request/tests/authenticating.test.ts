import assert from "node:assert/strict";
import { it } from "node:test";
import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import { createAddressList } from "../../../platform/network/address-list.ts";
import { ANSWER, CHAT } from "../testing/openai-messages.ts";
import { settle, startRequest } from "../testing/start-request.ts";

it("authenticating: key found", async (t) => {
  const networks = createAddressList(["192.0.2.0/24"]);
  const { keys, caller, upstream, response, inFlight } = startRequest(t, { looksUp: "later", caller: { networks } });
  await settle();
  assert.equal(caller.request.isRead, false, "a body counts for an account, so it waits for the key");
  keys.answer();
  await settle();
  assert.equal(caller.request.isRead, true);
  caller.sends(CHAT);
  upstream.current.whole(ANSWER);
  await settle();
  assert.deepEqual([response.status, inFlight.size], [200, 0]);

  const looping = startRequest(t, { headers: { "x-one-api-hops": "3" } });
  await settle();
  assert.deepEqual([looping.response.status, looping.inFlight.size], [508, 0]);
});

it("authenticating: key refused", async (t) => {
  const networks = createAddressList(["198.51.100.0/24"]);
  for (const [setup, status, refusals] of [
    [{ isKeyKnown: false }, 401, 0],
    [{ caller: { tokenStatus: 2 } }, 401, 1],
    [{ caller: { expiredTime: 1 } }, 401, 1],
    [{ caller: { userStatus: 2 } }, 403, 1],
    [{ caller: { networks } }, 403, 1],
    [{ headers: { authorization: "" } }, 401, 0],
  ] as const) {
    const request = startRequest(t, setup);
    await settle();
    assert.deepEqual([request.response.status, request.inFlight.size], [status, 0]);
    assert.equal(request.refusals.length, refusals, "the log names refusals of known tokens");
    assert.equal(request.caller.request.isRead, false);
  }
});

it("authenticating: database unavailable", async (t) => {
  const { response, inFlight, refusals } = startRequest(t, { looksUp: new DatabaseUnavailableError("away") });
  await settle();
  assert.deepEqual([response.status, response.headers["retry-after"]], [503, "5"]);
  assert.deepEqual([inFlight.size, refusals.length], [0, 0]);
});

it("authenticating: caller gone", async (t) => {
  const { keys, caller, response, inFlight } = startRequest(t, { looksUp: "later" });
  caller.leaves();
  assert.equal(inFlight.size, 0);
  keys.answer();
  await settle();
  assert.equal(caller.request.isRead, false);
  assert.deepEqual(response.calls, []);
});
