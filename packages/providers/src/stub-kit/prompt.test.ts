import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { countChatPromptTokens, countInputTokens } from "./prompt.ts";

suite("prompt tokens", () => {
  test("of a chat: 3 per message, 1 per word, 85 per image, 3 for the reply", () => {
    const image = { type: "image_url", image_url: { url: "data:," } };
    const messages = [
      { role: "system", content: " be\n brief\t" },
      { role: "user", content: [{ type: "text", text: "what is this" }, image] },
      { role: "assistant", content: null },
    ];
    assert.equal(countChatPromptTokens({ messages }), 3 + (3 + 2) + (3 + 3 + 85) + 3);
  });

  test("of prompts and inputs: words, or the length of token lists", () => {
    assert.equal(countInputTokens("one two  three"), 3);
    assert.equal(countInputTokens(["one two", "three"]), 3);
    assert.equal(countInputTokens([7, 8, 9]), 3);
    assert.equal(countInputTokens([[7, 8], [9]]), 3);
    assert.equal(countInputTokens(undefined), 0);
  });
});
