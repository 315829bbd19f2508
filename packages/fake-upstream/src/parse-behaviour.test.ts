import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Behaviour } from "./behaviour.ts";
import { parseBehaviour } from "./parse-behaviour.ts";

const behaviours: Behaviour[] = [
  { kind: "normal", pieces: 3, text: "a b", reasoningTokens: 1, cachedTokens: 2, callTool: true },
  { kind: "slow", headersDelayMs: 10, chunkDelayMs: 20 },
  { kind: "refuse", status: 429, reason: "insufficient-quota", retryAfter: 5, message: "no" },
  { kind: "refuse", status: 503, retryAfter: "soon" },
  { kind: "stall", afterChunks: 0 },
  { kind: "cut", at: "accept", afterChunks: 2, reset: true },
  { kind: "malformed", fault: "long-line", afterChunks: 2, lineMegabytes: 9 },
  { kind: "endless", chunkBytes: 100 },
  { kind: "unsolicited-headers" },
  { kind: "usage-override", report: "given", usage: { total_tokens: "many" } },
  { kind: "error-in-stream", afterChunks: 4, form: "data-only" },
];

suite("a behaviour written as JSON", () => {
  for (const behaviour of behaviours) {
    test(`${JSON.stringify(behaviour)} keeps every field`, () => {
      const parsed = JSON.stringify(parseBehaviour(JSON.parse(JSON.stringify(behaviour))));
      assert.deepEqual(JSON.parse(parsed), behaviour);
    });
  }

  test("a field of another kind is refused", () => {
    assert.throws(() => parseBehaviour({ kind: "slow", status: 500 }), /status is no field of this kind/);
  });

  test("what is no object is refused", () => {
    assert.throws(() => parseBehaviour(["normal"]), /must be a JSON object/);
    assert.throws(() => parseBehaviour({}), /kind is missing; it must be one of normal/);
  });
});
