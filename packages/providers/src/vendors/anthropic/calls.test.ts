import assert from "node:assert/strict";
import { test } from "node:test";
import { callOf, connectionTo, workingProvider } from "../../testing/call-provider.ts";

test("Anthropic receives the key in the version's header, and the caller's version and betas", () => {
  const older = callOf(14, connectionTo("")).address;
  assert.equal(older.url, "https://api.anthropic.com/v1/messages");
  assert.deepEqual(older.headers, { "x-api-key": "sk-test", "anthropic-version": "2023-06-01" });
  const named = { "anthropic-version": "2026-10-21", "anthropic-beta": "x-1" };
  const newer = callOf(14, connectionTo("https://host.example/anthropic/v1"), "token-counts", named).address;
  assert.equal(newer.url, "https://host.example/anthropic/v1/messages/count_tokens");
  assert.deepEqual(newer.headers, { authorization: "Bearer sk-test", ...named });
  assert.equal(workingProvider(14).serve("embeddings", "m"), undefined);
});
