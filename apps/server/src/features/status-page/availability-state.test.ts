import assert from "node:assert/strict";
import { test } from "node:test";
import { availabilityState } from "./availability-state.ts";

const cases = [
  [0, 0, "unused"],
  [1, 0, "works"],
  [6, 1, "few"],
  [1, 1, "few"],
  [19, 19, "few"],
  [20, 1, "troubled"],
  [20, 2, "troubled"],
  [20, 3, "fails"],
  [1_000, 10, "works"],
  [1_000, 11, "troubled"],
  [1_000, 101, "fails"],
] as const;

test("a model fails only where enough requests show it", () => {
  for (const [requests, errors, state] of cases)
    assert.equal(availabilityState({ requests, errors }), state, `${errors} of ${requests} failed`);
});
