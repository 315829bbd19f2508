import assert from "node:assert/strict";
import { it } from "node:test";
import { ANSWER, CHAT } from "../testing/openai-messages.ts";
import { settle, startRequest } from "../testing/start-request.ts";

/** A long answer that its caller takes slowly. */
async function startSending(t: Parameters<typeof startRequest>[0]) {
  const started = startRequest(t);
  started.response.isSlow = true;
  started.caller.sends(CHAT);
  const [choice] = ANSWER.choices;
  const content = "x".repeat(200_000);
  started.upstream.current.whole({ ...ANSWER, choices: [{ ...choice, message: { role: "assistant", content } }] });
  await settle();
  assert.deepEqual(started.response.calls, ["head 200", "write"]);
  assert.equal(started.inFlight.size, 1);
  return started;
}

it("sending: answer taken", async (t) => {
  const { caller, response, inFlight, answerMemory, bodyMemory } = await startSending(t);
  assert.ok(answerMemory.taken > 200_000, "the rest of the answer takes memory");
  assert.equal(bodyMemory.taken.all, 0, "the body is not needed any more");
  caller.takesAll();
  caller.takesAll();
  await settle();
  assert.ok(response.writableEnded);
  assert.deepEqual([inFlight.size, answerMemory.taken], [0, 0]);
});

it("sending: caller gone", async (t) => {
  const { caller, inFlight, answerMemory, settlement } = await startSending(t);
  caller.leaves();
  await settle();
  assert.deepEqual([inFlight.size, answerMemory.taken], [0, 0]);
  assert.equal(settlement().log?.result, "ok");
});

it("sending: caller stalled", async (t) => {
  const { response, inFlight, advance, endStalled, answerMemory } = await startSending(t);
  advance(59_999);
  endStalled();
  assert.equal(response.destroyed, false);
  advance(1);
  endStalled();
  await settle();
  assert.deepEqual([response.destroyed, inFlight.size, answerMemory.taken], [true, 0, 0]);
});
