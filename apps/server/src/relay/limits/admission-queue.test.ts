import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { limitsOf } from "../../features/limits/index.ts";
import { RelayError } from "../errors/index.ts";
import { type Admission, RateLimiter } from "./rate-limiter.ts";

const WAIT_MS = 2_000;
const NEED = { models: ["m"], modelTokens: 0, isForImages: false };

function start(t: TestContext, limits = limitsOf({ id: 1, concurrent_limit: 1 })) {
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  let now = 0;
  const clock = { nowMs: () => now, monotonicMs: () => now };
  const limiter = new RateLimiter({
    clock,
    place: () => ({ index: 0, count: 1 }),
    shared: undefined,
    queueMs: () => WAIT_MS,
  });
  const ends: string[] = [];
  /** A request that waits, by its name; `ends` has how it went. */
  const request = (name: string) => {
    const leaving = new AbortController();
    let admission: Admission | undefined;
    const admit = async () => {
      try {
        admission = await limiter.admit(limits, NEED, () => leaving.signal);
        ends.push(`${name} admitted`);
      } catch (error) {
        assert.ok(error instanceof RelayError);
        ends.push(`${name} ${error.status}`);
      }
    };
    void admit();
    const settle = () => {
      assert.ok(admission !== undefined, "not admitted");
      admission.settle(0);
    };
    return { leave: () => leaving.abort(), settle };
  };
  const pass = async (ms: number) => {
    now += ms;
    t.mock.timers.tick(ms);
    await settled();
  };
  return { limiter, limits, request, pass, ends };
}

async function settled(): Promise<void> {
  for (let turns = 0; turns < 10; turns += 1) await Promise.resolve();
}

it("admits in the order of arrival, each as soon as a request ends", async (t) => {
  const { request, ends } = start(t);
  const [a, b, c] = [request("a"), request("b"), request("c")];
  await settled();
  assert.deepEqual(ends, ["a admitted"]);
  a.settle();
  await settled();
  assert.deepEqual(ends, ["a admitted", "b admitted"]);
  const d = request("d");
  b.settle();
  await settled();
  c.settle();
  await settled();
  d.settle();
  assert.deepEqual(ends.slice(2), ["c admitted", "d admitted"]);
});

it("refuses after the longest wait, and leaves nothing behind", async (t) => {
  const { request, pass, ends, limiter, limits } = start(t);
  const a = request("a");
  request("b");
  await pass(WAIT_MS - 1);
  assert.deepEqual(ends, ["a admitted"]);
  await pass(1);
  assert.deepEqual(ends, ["a admitted", "b 429"]);
  a.settle();
  assert.ok(!(limiter.admit(limits, NEED) instanceof Promise));
});

it("is left at once by a caller that disconnects, whose place goes to the next", async (t) => {
  const { request, ends } = start(t);
  const a = request("a");
  const b = request("b");
  request("c");
  await settled();
  b.leave();
  await settled();
  a.settle();
  await settled();
  assert.deepEqual(ends, ["a admitted", "b 429", "c admitted"]);
});

it("takes a bounded number of requests", async (t) => {
  const { request, ends } = start(t);
  request("a");
  for (let count = 0; count < 130; count += 1) request("waits");
  await settled();
  assert.equal(ends.filter((end) => end === "waits 429").length, 30);
});

it("waits for a window that moves on in time, and for no other", async (t) => {
  const { request, pass, ends } = start(t, limitsOf({ id: 1, rpm_limit: 1 }));
  request("a");
  await settled();
  request("too early");
  await settled();
  assert.deepEqual(ends, ["a admitted", "too early 429"]);
  await pass(59_500);
  request("in time");
  await settled();
  assert.equal(ends.length, 2);
  await pass(1_500);
  assert.deepEqual(ends.slice(2), ["in time admitted"]);
});
