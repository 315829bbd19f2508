import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Failure, FailureKind } from "@one-api/providers/failure";
import { createTestClock } from "../../testing/test-clock.ts";
import { createChannelHealth } from "./channel-health.ts";

const ID = 7;
const MODEL = "gpt-4o";

function failure(kind: FailureKind, more: Partial<Failure> = {}): Failure {
  return { kind, status: 500, message: "", code: "", type: "", param: null, retryAfterMs: null, ...more };
}

function start() {
  const clock = createTestClock();
  const health = createChannelHealth(clock);
  const fail = (kind: FailureKind, more?: Partial<Failure>, model = MODEL) =>
    health.recordFailure(ID, model, failure(kind, more)).action;
  const cooldownOf = (model = MODEL) => health.cooldownOf(ID, model)?.reason;
  return { clock, health, fail, cooldownOf };
}

describe("what failures say of a channel", () => {
  /** What the first, the second … failure of the kind means, and why the channel rests after all of them. */
  const kinds: readonly [kind: FailureKind, verdicts: readonly string[], rest: string | undefined][] = [
    ["bad-credential", ["none", "disable", "disable"], "refused"],
    ["out-of-credit", ["none", "disable", "disable"], "refused"],
    ["rate-limited", ["none", "none", "none", "none"], "rate-limited"],
    ["overloaded", ["none", "none", "none", "none", "none"], "failing"],
    ["server-error", ["none", "none", "none", "none", "none"], "failing"],
    ["connection", ["none", "none", "none", "none", "none"], "failing"],
    ["tls", ["none", "none", "none", "none", "none"], "failing"],
    ["timeout", ["none", "none", "none", "none", "none"], "failing"],
    ["bad-answer", ["none", "none", "none", "none", "none"], "failing"],
    ["broken-stream", ["none", "none", "none", "none", "none"], "failing"],
    ["bad-request", ["none", "none", "none", "none", "none", "none"], undefined],
    ["unknown-model", ["none", "none", "none", "none", "none", "none"], undefined],
    ["too-large", ["none", "none", "none", "none", "none", "none"], undefined],
  ];
  for (const [kind, verdicts, rest] of kinds) {
    it(`${kind}: ${verdicts.join(", ")}, then ${rest ?? "awake"}`, () => {
      const { fail, cooldownOf } = start();
      assert.deepEqual(
        verdicts.map(() => fail(kind)),
        verdicts,
      );
      assert.equal(cooldownOf(), rest);
    });
  }

  it("one refusal rests the channel for a minute and never disables it; an answer between two starts over", () => {
    const { clock, health, fail, cooldownOf } = start();
    assert.equal(fail("bad-credential", { status: 401 }), "none");
    assert.equal(cooldownOf("another model"), "refused");
    clock.advanceSeconds(59);
    assert.equal(cooldownOf(), "refused");
    clock.advanceSeconds(1);
    assert.equal(cooldownOf(), undefined);
    health.recordSuccess(ID, MODEL);
    assert.equal(fail("out-of-credit"), "none");
    assert.equal(fail("bad-credential"), "disable");
  });

  it("the fifth failure within 30 s opens the breaker for 15 s, slower ones never do", () => {
    const { clock, health, fail, cooldownOf } = start();
    for (let count = 0; count < 4; count += 1) fail("timeout");
    assert.equal(cooldownOf(), undefined);
    clock.advanceSeconds(30);
    fail("timeout");
    assert.equal(cooldownOf(), undefined, "the first four are forgotten");
    for (let count = 0; count < 4; count += 1) fail("connection");
    assert.equal(cooldownOf(), "failing");
    clock.advanceSeconds(14);
    assert.equal(cooldownOf(), "failing");
    clock.advanceSeconds(1);
    assert.equal(cooldownOf(), undefined);
    for (let count = 0; count < 5; count += 1) fail("server-error");
    health.recordSuccess(ID, MODEL);
    assert.equal(cooldownOf(), undefined, "an answer closes it");
    fail("server-error");
    assert.equal(cooldownOf(), undefined, "and its failures are forgotten");
  });
});

describe("what limits say of a channel", () => {
  it("[CHSTATE-11] [CHSTATE-12] [CHSTATE-14] [CHSTATE-15] [CHSTATE-16] a limit rests its model alone, as long as the provider says, else a minute", () => {
    const { clock, health, fail, cooldownOf } = start();
    fail("rate-limited", { retryAfterMs: 5_000 });
    fail("rate-limited", {}, "o3");
    assert.deepEqual([cooldownOf(), cooldownOf("o3"), cooldownOf("o1")], ["rate-limited", "rate-limited", undefined]);
    assert.deepEqual(health.modelsInCooldown(ID), [
      { model: MODEL, untilMs: clock.nowMs() + 5_000 },
      { model: "o3", untilMs: clock.nowMs() + 60_000 },
    ]);
    assert.deepEqual(health.channelsInCooldown(), [ID]);
    clock.advanceSeconds(5);
    assert.deepEqual([cooldownOf(), cooldownOf("o3")], [undefined, "rate-limited"]);
    clock.advanceSeconds(55);
    assert.deepEqual([cooldownOf("o3"), health.channelsInCooldown()], [undefined, []]);
  });

  it("a wait beyond a day counts as a day", () => {
    const { clock, health, fail } = start();
    fail("rate-limited", { retryAfterMs: 1e12 });
    assert.equal(health.modelsInCooldown(ID)[0]?.untilMs, clock.nowMs() + 86_400_000);
  });

  it("an answer that began before the limit does not end the sleep", () => {
    const { health, fail, cooldownOf } = start();
    fail("rate-limited");
    health.recordSuccess(ID, MODEL);
    assert.equal(cooldownOf(), "rate-limited");
  });

  const codes: readonly [code: string, action: string][] = [
    ["AccountRateLimitExceeded", "sleep"],
    ["1308", "sleep"],
    ["1310", "sleep"],
    ["1313", "sleep"],
    ["2056", "sleep"],
    ["rate_limit_exceeded", "none"],
    ["ModelAccountRpmRateLimitExceeded", "none"],
    ["1302", "none"],
    ["", "none"],
  ];
  for (const [code, action] of codes) {
    it(`[CHSTATE-18] a limit with the code "${code}" means ${action === "sleep" ? "the account" : "the model"}`, () => {
      const { clock, health, cooldownOf } = start();
      const message = "Your whole account and organization are limited";
      const verdict = health.recordFailure(ID, MODEL, failure("rate-limited", { code, message, retryAfterMs: 9_000 }));
      assert.deepEqual(verdict, action === "sleep" ? { action, untilMs: clock.nowMs() + 9_000 } : { action });
      assert.equal(cooldownOf("another model"), action === "sleep" ? "rate-limited" : undefined);
    });
  }

  it("[CHSTATE-18] three models limited with no answer between mean the account, until the first of them wakes", () => {
    const { clock, health, fail, cooldownOf } = start();
    assert.equal(fail("rate-limited", { retryAfterMs: 30_000 }, "a"), "none");
    assert.equal(fail("rate-limited", { retryAfterMs: 20_000 }, "b"), "none");
    const verdict = health.recordFailure(ID, "c", failure("rate-limited", { retryAfterMs: 40_000 }));
    assert.deepEqual(verdict, { action: "sleep", untilMs: clock.nowMs() + 20_000 });
    assert.equal(cooldownOf("d"), "rate-limited");
    clock.advanceSeconds(20);
    assert.deepEqual([cooldownOf("d"), cooldownOf("c")], [undefined, "rate-limited"]);
  });

  it("models limited far apart, or with an answer between, mean themselves", () => {
    const { clock, health, fail } = start();
    fail("rate-limited", {}, "a");
    fail("rate-limited", {}, "b");
    health.recordSuccess(ID, "c");
    assert.equal(fail("rate-limited", {}, "d"), "none");
    fail("rate-limited", {}, "e");
    clock.advanceSeconds(60);
    assert.equal(fail("rate-limited", {}, "f"), "none");
  });
});

describe("what is measured of a channel", () => {
  it("[CHSTATE-29] the error rate is that of recent calls", () => {
    const { health, fail } = start();
    assert.equal(health.errorRate(ID), 0);
    for (let count = 0; count < 10; count += 1) fail("server-error");
    assert.equal(health.errorRate(ID), 1);
    for (let count = 0; count < 400; count += 1) health.recordSuccess(ID, MODEL);
    assert.ok(health.errorRate(ID) < 0.01);
  });

  it("[CHSTATE-29] the latency follows what is measured lately, model by model", () => {
    const { health } = start();
    assert.equal(health.latencyMs(ID, MODEL), undefined);
    health.recordLatency(ID, MODEL, 1_000);
    assert.equal(health.latencyMs(ID, MODEL), 1_000);
    for (let count = 0; count < 40; count += 1) health.recordLatency(ID, MODEL, 100);
    const latencyMs = health.latencyMs(ID, MODEL) ?? 0;
    assert.ok(latencyMs >= 100 && latencyMs < 110, String(latencyMs));
    assert.equal(health.latencyMs(ID, "o3"), undefined);
  });

  it("forgets everything when an administrator has seen to it", () => {
    const { health, fail, cooldownOf } = start();
    fail("bad-credential");
    fail("rate-limited");
    health.forget(ID);
    assert.deepEqual([cooldownOf(), health.errorRate(ID), health.modelsInCooldown(ID)], [undefined, 0, []]);
    assert.equal(fail("bad-credential"), "none");
  });
});

describe("a clock that is set back", () => {
  it("wakes no channel late", () => {
    const { clock, fail, health, cooldownOf } = start();
    fail("rate-limited", { retryAfterMs: 60_000 });
    clock.setBackSeconds(3_600);
    assert.equal(health.cooldownOf(ID, MODEL)?.untilMs, clock.nowMs() + 60_000);
    clock.advanceSeconds(60);
    assert.equal(cooldownOf(), undefined);
    assert.deepEqual(health.modelsInCooldown(ID), []);
  });
});
