import assert from "node:assert/strict";
import { it } from "node:test";
import type { FailureKind } from "@one-api/providers/failure";
import { type RetrySituation, shouldTryAnother } from "./retry-policy.ts";

/** Every kind of failure, and whether another channel may help. */
const KINDS: readonly (readonly [FailureKind, boolean])[] = [
  ["rate-limited", true],
  ["overloaded", true],
  ["bad-credential", true],
  ["out-of-credit", true],
  ["unknown-model", true],
  ["bad-request", false],
  ["kept-elsewhere", true],
  ["server-error", true],
  ["connection", true],
  ["tls", true],
  ["timeout", true],
  ["bad-answer", true],
  ["broken-stream", true],
  ["too-large", true],
];

function tries(kind: FailureKind, attempts: number, more: Partial<RetrySituation> = {}): boolean {
  const failure = { kind, status: 0, message: "", code: "", type: "", param: null, retryAfterMs: null };
  const plain = {
    hasOtherModel: false,
    isModelLate: false,
    retryTimes: 3,
    answerBegan: false,
    channelPinned: false,
    callerGone: false,
  };
  return shouldTryAnother({ failure, attempts, ...plain, ...more }) === "another-channel";
}

for (const [kind, mayHelp] of KINDS) {
  it(`after ${kind} ${mayHelp ? "tries another channel" : "tries no other channel"}, as often as the option says and no more`, () => {
    for (const retryTimes of [0, 1, 3]) {
      for (const attempts of [1, 2, 3, 4, 5]) {
        const expected = mayHelp && attempts < 1 + retryTimes;
        assert.equal(tries(kind, attempts, { retryTimes }), expected, `${attempts} attempts, RetryTimes ${retryTimes}`);
      }
    }
  });

  it(`after ${kind} tries no other channel once the answer began, for a pinned channel, or without a caller`, () => {
    for (const bar of ["answerBegan", "channelPinned", "callerGone"] as const)
      assert.equal(tries(kind, 1, { [bar]: true }), false, bar);
  });
}

it("after the last attempt with a model tries the next one of the alias", () => {
  const failure = {
    kind: "overloaded",
    status: 529,
    message: "",
    code: "",
    type: "",
    param: null,
    retryAfterMs: null,
  } as const;
  const situation = {
    failure,
    hasOtherModel: true,
    isModelLate: false,
    retryTimes: 1,
    answerBegan: false,
    channelPinned: false,
    callerGone: false,
  };
  const next = [1, 2, 3].map((attempts) => shouldTryAnother({ ...situation, attempts }));
  assert.deepEqual(next, ["another-channel", "another-model", "another-model"]);
  const late = { ...situation, attempts: 1, isModelLate: true };
  assert.equal(shouldTryAnother(late), "another-model", "its time is over");
  assert.equal(shouldTryAnother({ ...late, hasOtherModel: false }), "another-channel", "nothing else is left");
  const refused = { ...failure, kind: "bad-request" } as const;
  assert.equal(shouldTryAnother({ ...situation, failure: refused, attempts: 1 }), "never");
  const tooLong = { ...refused, code: "context_length_exceeded" };
  assert.equal(shouldTryAnother({ ...situation, failure: tooLong, attempts: 1 }), "another-model");
  assert.equal(shouldTryAnother({ ...situation, failure: tooLong, attempts: 1, answerBegan: true }), "never");
});
