import assert from "node:assert/strict";
import { test } from "node:test";
import { callOf, connectionTo } from "../../testing/call-provider.ts";

test("OpenRouter receives the product's name", () => {
  assert.equal(callOf(20, connectionTo("")).address.headers["x-title"], "One API");
});
