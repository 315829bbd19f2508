import assert from "node:assert/strict";
import { test } from "node:test";
import { completionText, deltaText, hasFinished } from "./delta-text.ts";
import { promptTexts, requestMedia } from "./prompt-texts.ts";

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

test("completions, embeddings and moderations may come as a text, a list or token numbers", () => {
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

test("a request that is none has no parts", () => {
  for (const body of [undefined, null, "x", [], {}, { messages: "x" }, { messages: [null, 7] }]) {
    assert.deepEqual([promptTexts(body).texts, promptTexts(body).messages], [[], 0]);
  }
});

test("everything that a model writes is found, in chunks and in answers", () => {
  const message = {
    content: "c",
    reasoning_content: "r",
    refusal: "n",
    tool_calls: [
      { index: 0, function: { name: "f", arguments: '{"a"' } },
      { index: 1, function: { arguments: ":1}" } },
    ],
  };
  assert.equal(deltaText({ choices: [{ delta: message }, { delta: { content: "2" } }] }), 'crnf{"a":1}2');
  assert.equal(completionText({ choices: [{ message }] }), 'crnf{"a":1}');
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

test("images and audio are seen where a request holds them or asks for them", () => {
  const user = (...content: readonly object[]) => ({ messages: [{ role: "user", content }] });
  const text = { type: "text", text: "audio image_url" };
  assert.deepEqual(requestMedia(user(text)), { hasImages: false, audioTokens: 0, wantsAudio: false });
  assert.deepEqual(requestMedia({ messages: [{ role: "user", content: "plain" }] }), {
    hasImages: false,
    audioTokens: 0,
    wantsAudio: false,
  });
  assert.equal(requestMedia(user({ type: "image_url", image_url: { url: "data:," } })).hasImages, true);
  assert.equal(requestMedia({ ...user(text), modalities: ["text", "audio"] }).wantsAudio, true);
  assert.equal(requestMedia({ ...user(text), modalities: ["text"] }).wantsAudio, false);
  assert.equal(requestMedia({ ...user(text), audio: { voice: "alloy", format: "wav" } }).wantsAudio, true);
  assert.equal(requestMedia(null).audioTokens, 0);
});

test("audio has a bound that no provider's count exceeds, and not the size of its letters", () => {
  const audio = (data: string, format = "mp3") => ({
    messages: [{ role: "user", content: [{ type: "input_audio", input_audio: { data, format } }] }],
  });
  const secondsOfMp3 = 10;
  const smallest = Buffer.alloc(1_000 * secondsOfMp3).toString("base64");
  const bound = requestMedia(audio(smallest)).audioTokens;
  assert.ok(bound >= 32 * secondsOfMp3, "Gemini counts 32 tokens a second");
  assert.ok(bound < smallest.length / 20);
  const hour = requestMedia(audio("https://files.example/talk.mp3")).audioTokens;
  assert.ok(hour >= 3_600 * 32);
  const earlier = { messages: [{ role: "assistant", audio: { id: "audio_1" } }] };
  assert.ok(requestMedia(earlier).audioTokens > 0);
});
