import assert from "node:assert/strict";
import { test } from "node:test";
import { isTroubledRate } from "./troubled-rate.ts";

test("a twentieth of at least 20 requests is trouble, and of fewer five failures", () => {
  assert.equal(isTroubledRate({ requests: 20, errors: 3 }), true);
  assert.equal(isTroubledRate({ requests: 20, errors: 2 }), false);
  assert.equal(isTroubledRate({ requests: 1_000, errors: 49 }), false);
  assert.equal(isTroubledRate({ requests: 19, errors: 4 }), false);
  assert.equal(isTroubledRate({ requests: 19, errors: 5 }), true);
  assert.equal(isTroubledRate({ requests: 0, errors: 0 }), false);
});
