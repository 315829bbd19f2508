import assert from "node:assert/strict";
import { it } from "node:test";
import {
  ANSWER,
  CHAT,
  DONE,
  HELLO,
  IMAGE_STREAM,
  REPORT,
  STOP,
  STREAM,
  UNREPORTED,
} from "../testing/openai-messages.ts";
import { serverEnds, settle, type StartedRequest, startRequest } from "../testing/start-request.ts";

const RUNS = 150;
const STEPS = 14;

/** Numbers from 0 up to but not 1 that are the same in each run (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const EVENTS: readonly ((request: StartedRequest) => void)[] = [
  ({ keys }) => keys.answer(),
  ({ plans }) => plans.answer(),
  ({ counts }) => counts.answer(),
  ({ counts }) => counts.fail(new Error("The counting thread died.")),
  ({ ledger }) => ledger.answer(),
  ({ ledger }) => ledger.commit(),
  ({ caller }) => caller.leaves(),
  ({ caller }) => caller.takesAll(),
  ({ response }) => (response.isSlow = true),
  ({ upstream }) => upstream.newest?.takes(),
  ({ upstream }) => upstream.newest?.head(),
  ({ upstream }) => upstream.newest?.piece(HELLO),
  ({ upstream }) => upstream.newest?.piece(HELLO + STOP + REPORT + DONE),
  ({ upstream }) => upstream.newest?.piece(STOP + DONE),
  ({ upstream }) => upstream.newest?.end(),
  ({ upstream }) => upstream.newest?.fail("UND_ERR_SOCKET"),
  ({ upstream }) => upstream.newest?.whole(ANSWER),
  ({ upstream }) => upstream.newest?.whole(UNREPORTED),
  ({ upstream }) => upstream.newest?.whole({ error: { message: "Overloaded" } }, 503),
  ({ inFlight }) => inFlight.drain(),
  ({ inFlight }) => inFlight.endAll(serverEnds()),
  ({ inFlight, caller }) => inFlight.halfClosed(caller.request.socket),
  ({ keepAlive }) => keepAlive(),
  ({ endStalled }) => endStalled(),
  ({ advance }) => advance(4_000),
  ({ advance }) => advance(31_000),
  ({ ledger }) => (ledger.isLive = false),
  (request) => {
    request.ledger.isLive = false;
    request.inFlight.endFenced();
    request.isFenced = true;
  },
];

/** Answers whatever the request still waits for, and lets its caller leave. */
async function finish(request: StartedRequest): Promise<void> {
  const { keys, plans, counts, ledger, upstream, caller, advance, inFlight } = request;
  caller.leaves();
  for (let round = 0; round < 4 && inFlight.size > 0; round += 1) {
    keys.answer();
    plans.answer();
    counts.answer();
    ledger.answer();
    ledger.commit();
    upstream.newest?.fail("UND_ERR_SOCKET");
    await settle();
    advance(31_000);
    await settle();
  }
}

it("ends once after any events in any order, with everything released", async (t) => {
  for (let seed = 1; seed <= RUNS; seed += 1) {
    const random = randomFrom(seed);
    const pick = <Value>(values: readonly Value[]): Value => {
      const value = values[Math.floor(random() * values.length)];
      assert.ok(value !== undefined);
      return value;
    };
    const waits = () => (random() < 0.3 ? "later" : "now");
    const request = startRequest(t, { looksUp: waits(), plans: waits(), counts: waits() });
    const { caller, ledger, response, inFlight, bodyMemory, answerMemory, standing, ended } = request;
    ledger.reserving = waits();
    ledger.settling = random() < 0.5 ? "later" : "now";
    caller.sends(pick([CHAT, STREAM, IMAGE_STREAM]));
    await settle();
    for (let step = 0; step < STEPS; step += 1) {
      pick(EVENTS)(request);
      if (random() < 0.5) await settle();
    }
    await finish(request);
    const seeded = `seed ${seed}`;
    assert.equal(inFlight.size, 0, seeded);
    assert.deepEqual([bodyMemory.taken.all, answerMemory.taken], [0, 0], seeded);
    assert.deepEqual(await inFlight.checkpoints(), [], seeded);
    const [first, second, third] = ledger.settlements;
    const ends = ledger.released.length + (first === undefined ? 0 : 1);
    const isVoid = request.isFenced && ends === 0;
    assert.ok(isVoid || ends === (ledger.reservations.length > 0 ? 1 : 0), `${seeded}: a reservation ends once`);
    assert.ok(second === undefined || (second.charge === undefined && third === undefined), `${seeded}: one charge`);
    assert.ok(response.calls.filter((call) => call.startsWith("head")).length <= 1, seeded);
    assert.ok(response.calls.filter((call) => call === "end").length <= 1, seeded);
    assert.ok(ended.length <= 1, `${seeded}: described once`);
    assert.ok(first === undefined || ended.length === 1, `${seeded}: a settled request is described`);
    assert.equal(Number(standing()["x-ratelimit-remaining-tokens"]) % 1, 0, seeded);
  }
});
