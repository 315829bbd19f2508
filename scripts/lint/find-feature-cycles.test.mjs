import assert from "node:assert/strict";
import { test } from "node:test";
import { findFeatureCycles } from "./find-feature-cycles.mjs";

test("features that import each other in a circle are shown with the way round, those outside of it are not", () => {
  const edge = (/** @type {string} */ from, /** @type {string} */ to) => ({
    place: `features/${from}/index.ts:1`,
    from: `features/${from}/`,
    to: `features/${to}/`,
  });
  const found = findFeatureCycles([edge("a", "b"), edge("b", "c"), edge("c", "a"), edge("d", "a")]);
  assert.deepEqual(
    found.map((line) => line.replace(/:[^(]*/, "").replace(/\).*/, "")),
    ["features/a/index.ts(a → b → c → a", "features/b/index.ts(b → c → a → b", "features/c/index.ts(c → a → b → c"],
  );
});
