import assert from "node:assert/strict";
import { test } from "node:test";
import { urlOf } from "../../testing/call-provider.ts";

test("Ollama is called by its own API, also with a pasted path of its other one", () => {
  assert.equal(urlOf(30, ""), "http://localhost:11434/api/chat");
  assert.equal(urlOf(30, "http://gpu:11434/v1/", "embeddings"), "http://gpu:11434/api/embed");
});
