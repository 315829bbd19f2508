import assert from "node:assert/strict";
import { test } from "node:test";
import { completionText, deltaText, hasFinished } from "./delta-text.ts";
import { promptTexts } from "./prompt-texts.ts";

test("a chat's texts are its roles, contents, names, tool calls and definitions", () => {
  const parts = promptTexts({
    messages: [
      { role: "system", content: "S" },
      {
        role: "user",
        name: "ann",
        content: [
          { type: "text", text: "look" },
          { type: "image_url", image_url: { url: "u", detail: "low" } },
          { type: "image_url", image_url: { url: "u" } },
        ],
      },
      { role: "assistant", content: null, tool_calls: [{ function: { name: "f", arguments: "{}" } }] },
      { role: "tool", tool_call_id: "1", content: "R" },
    ],
    tools: [{ type: "function" }],
  });
  assert.deepEqual(parts.texts, [
    "system",
    "S",
    "user",
    "look",
    "assistant",
    "f",
    "{}",
    "tool",
    "R",
    "ann",
    '[{"type":"function"}]',
  ]);
  assert.deepEqual([parts.messages, parts.names, parts.lowDetailImages, parts.highDetailImages], [4, 1, 1, 1]);
});

test("completions, embeddings and moderations may be a text, a list or token numbers", () => {
  assert.deepEqual(promptTexts({ prompt: "p", suffix: "s" }).texts, ["p", "s"]);
  assert.deepEqual(promptTexts({ prompt: ["p", "q"] }).texts, ["p", "q"]);
  assert.deepEqual(promptTexts({ input: ["a", "b"] }).texts, ["a", "b"]);
  assert.equal(promptTexts({ input: [[1, 2], [3]] }).tokenNumbers, 3);
  assert.equal(promptTexts({ input: [1, 2] }).tokenNumbers, 2);
  const moderation = promptTexts({
    input: [
      { type: "text", text: "t" },
      { type: "image_url", image_url: { url: "u" } },
    ],
  });
  assert.deepEqual([moderation.texts, moderation.highDetailImages], [["t"], 1]);
});

test("an invalid request has no parts", () => {
  for (const body of [undefined, null, "x", [], {}, { messages: "x" }, { messages: [null, 7] }]) {
    assert.deepEqual([promptTexts(body).texts, promptTexts(body).messages], [[], 0]);
  }
});

test("all generated text is found, in chunks and in answers", () => {
  const message = {
    content: "c",
    reasoning_content: "r",
    refusal: "n",
    tool_calls: [
      { index: 0, function: { name: "f", arguments: '{"a"' } },
      { index: 1, function: { arguments: ":1}" } },
    ],
  };
  assert.equal(deltaText({ choices: [{ delta: message }, { delta: { content: "2" } }] }), 'cnf{"a":1}r2');
  assert.equal(completionText({ choices: [{ message }] }), 'cnf{"a":1}r');
  assert.equal(completionText({ choices: [{ text: "t" }] }), "t");
  assert.equal(deltaText({ choices: [{ delta: { reasoning: "r" } }] }), "r");
  const thinking = [
    { type: "thinking", thinking: [{ type: "text", text: "r" }] },
    { type: "text", text: "c" },
  ];
  assert.equal(deltaText({ choices: [{ delta: { content: thinking } }] }), "rc");
  assert.equal(deltaText({ choices: [] }), "");
});

test("a chunk with a finish reason ends its choice", () => {
  assert.equal(hasFinished({ choices: [{ delta: {}, finish_reason: "stop" }] }), true);
  assert.equal(hasFinished({ choices: [{ delta: {}, finish_reason: null }] }), false);
  assert.equal(hasFinished({ choices: [{ delta: {}, finish_reason: "" }] }), false);
  assert.equal(hasFinished({ choices: [], usage: {} }), false);
});
