import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestClock } from "../../testing/test-clock.ts";
import { createChannelHealth } from "./channel-health.ts";

const ID = 7;
const MODEL = "gpt-4o";
const WAIT_MS = 120_000;

function start() {
  const clock = createTestClock();
  const health = createChannelHealth(clock);
  const cooldownOf = (model = MODEL) => health.cooldownOf(ID, model)?.reason;
  return {
    clock,
    health,
    cooldownOf,
    /** A caller of that account waits, the whole time alone, and leaves. */
    leave: (userId: number, seconds = 30) => {
      clock.advanceSeconds(seconds);
      health.recordUnanswered(ID, MODEL, { userId, silentMs: seconds * 1_000, waitMs: WAIT_MS });
      return cooldownOf();
    },
    answer: (seconds = 1) => {
      clock.advanceSeconds(seconds);
      health.recordLatency(ID, MODEL, seconds * 1_000);
      health.recordSuccess(ID, MODEL);
    },
  };
}

describe("a channel whose callers give up waiting", () => {
  it("rests for the model after three of several accounts, or five of one, and for nothing else", () => {
    const several = start();
    assert.deepEqual([several.leave(1), several.leave(2), several.leave(1)], [undefined, undefined, "failing"]);
    assert.equal(several.cooldownOf("another"), undefined);
    const one = start();
    const rests = [1, 2, 3, 4, 5].map(() => one.leave(1));
    assert.deepEqual(rests, [undefined, undefined, undefined, undefined, "failing"]);
  });

  it("does not rest for callers who hardly waited", () => {
    const { leave } = start();
    for (let caller = 1; caller <= 20; caller += 1) assert.equal(leave(caller, 19), undefined);
    assert.deepEqual([leave(1, 20), leave(2, 20), leave(3, 20)], [undefined, undefined, "failing"]);
  });

  it("does not rest while it answers others, before they leave or between them", () => {
    const { leave, answer } = start();
    for (let round = 0; round < 5; round += 1) {
      leave(1);
      leave(2);
      answer();
    }
    assert.equal(leave(3), undefined);
    const { health, clock, cooldownOf } = start();
    clock.advanceSeconds(5);
    health.recordLatency(ID, MODEL, 1_000);
    clock.advanceSeconds(25);
    for (let caller = 1; caller <= 10; caller += 1)
      health.recordUnanswered(ID, MODEL, { userId: caller, silentMs: 30_000, waitMs: WAIT_MS });
    assert.equal(cooldownOf(), undefined, "while they waited, another had its answer");
  });

  it("does not rest for taking the time that it always takes", () => {
    const { leave, answer } = start();
    answer(60);
    for (let caller = 1; caller <= 10; caller += 1) assert.equal(leave(caller, 200), undefined);
    assert.deepEqual([leave(1, 240), leave(2, 240), leave(3, 240)], [undefined, undefined, "failing"]);
  });

  it("does not rest for three who left in the course of a day", () => {
    const { leave, clock } = start();
    for (let caller = 1; caller <= 10; caller += 1) {
      assert.equal(leave(caller), undefined);
      clock.advanceSeconds(600);
    }
  });

  it("rests for twice as long each time while nobody is answered, up to five minutes, and afresh after an answer", () => {
    const { leave, clock, health, answer } = start();
    const secondsOfRest = () =>
      Math.round(((health.cooldownOf(ID, MODEL)?.untilMs ?? clock.nowMs()) - clock.nowMs()) / 1_000);
    for (const caller of [1, 2, 3]) leave(caller);
    const rests = [secondsOfRest()];
    for (let time = 0; time < 5; time += 1) {
      clock.advanceSeconds(secondsOfRest());
      leave(1);
      rests.push(secondsOfRest());
    }
    assert.deepEqual(rests, [30, 60, 120, 240, 300, 300]);
    answer();
    assert.deepEqual(
      [leave(1), leave(2), secondsOfRest(), leave(3), secondsOfRest()],
      [undefined, undefined, 0, "failing", 30],
    );
  });

  it("does not rest longer for those who had begun to wait before", () => {
    const { leave, clock, health, cooldownOf } = start();
    for (const caller of [1, 2, 3]) leave(caller);
    clock.advanceSeconds(31);
    health.recordUnanswered(ID, MODEL, { userId: 4, silentMs: 55_000, waitMs: WAIT_MS });
    assert.equal(cooldownOf(), undefined);
  });

  it("is asked again as soon as it answers somebody", () => {
    const { leave, answer, cooldownOf } = start();
    for (const caller of [1, 2, 3]) leave(caller);
    assert.equal(cooldownOf(), "failing");
    answer();
    assert.equal(cooldownOf(), undefined);
  });
});
