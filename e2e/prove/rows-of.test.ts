import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Goal, GOALS } from "./goals.ts";
import type { TrialResult } from "./run-trial.ts";
import { rowsOf } from "./rows-of.ts";

const trial = { kind: "tests", files: ["a.test.ts"] } as const;
const counted: Goal = { name: "G0", promise: "nothing fails", trial };
const measured: Goal = {
  name: "G0",
  promise: "stays small",
  trial,
  figures: [
    { name: "size", unit: "MiB", atMost: 10, longAtMost: 5 },
    { name: "rate", unit: "requests/s", atLeast: 100 },
  ],
};
const result: TrialResult = { passed: 2, failures: [], skips: [], figures: new Map() };
const verdictsOf = (goal: Goal, ...rest: [TrialResult | undefined, boolean]) =>
  rowsOf(goal, ...rest).map(({ verdict, figure }) => [verdict, figure]);

describe("a goal", () => {
  test("without figures is met while no test fails", () => {
    assert.deepEqual(verdictsOf(counted, result, false), [["yes", "0 of 2 tests failed"]]);
    const failed = { ...result, failures: ["a: broken"] };
    assert.deepEqual(rowsOf(counted, failed, false)[0]?.verdict, "NO");
    assert.deepEqual(rowsOf(measured, failed, false)[0]?.verdict, "NO");
  });

  test("with figures is met within the bounds of its size", () => {
    const figures = new Map([
      ["size", 7],
      ["rate", 99.5],
    ]);
    assert.deepEqual(verdictsOf(measured, { ...result, figures }, false), [
      ["yes", "7 MiB"],
      ["NO", "99.5 requests/s"],
    ]);
    assert.equal(rowsOf(measured, { ...result, figures }, true)[0]?.verdict, "NO");
  });

  test("whose figure is missing is missed, and one whose tests were all skipped is skipped", () => {
    assert.equal(rowsOf(measured, result, false)[0]?.verdict, "NO");
    const none = { ...result, passed: 0, skips: ["needs root"] };
    assert.deepEqual(verdictsOf(counted, none, false), [["skipped", "needs root"]]);
    assert.deepEqual(verdictsOf({ name: "G0", promise: "later", skipped: "no checker" }, undefined, false), [
      ["skipped", "no checker"],
    ]);
  });
});

test("every goal names tests that exist", () => {
  const files = GOALS.flatMap((goal) => ("trial" in goal && goal.trial.kind === "tests" ? goal.trial.files : []));
  assert.ok(files.length > 30);
  assert.deepEqual(
    files.filter((file) => !existsSync(join(import.meta.dirname, "../..", file))),
    [],
  );
});
