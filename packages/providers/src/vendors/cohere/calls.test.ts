import assert from "node:assert/strict";
import { test } from "node:test";
import { urlOf } from "../../testing/call-provider.ts";

test("Cohere is called by version 2 of its API, also with another pasted version", () => {
  assert.equal(urlOf(35, ""), "https://api.cohere.com/v2/chat");
  assert.equal(urlOf(35, "https://api.cohere.ai/v1", "embeddings"), "https://api.cohere.ai/v2/embed");
});
