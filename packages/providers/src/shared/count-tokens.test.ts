import assert from "node:assert/strict";
import { test } from "node:test";
import { promptTexts } from "../protocols/openai/prompt-texts.ts";
import { countPromptTokens, type PromptParts, tokenCounter, tokenPieces } from "./count-tokens.ts";

const countTokens = async (parts: PromptParts, model: string) => (await countPromptTokens(parts, model)).tokens;

test("texts have the token counts that OpenAI's tokenizers give", async () => {
  const newer = await tokenCounter("gpt-4o");
  const older = await tokenCounter("gpt-4-0613");
  assert.deepEqual([newer("hello world"), older("hello world")], [2, 2]);
  assert.deepEqual([newer("antidisestablishmentarianism"), older("antidisestablishmentarianism")], [6, 6]);
  assert.deepEqual([newer("お誕生日おめでとう"), older("お誕生日おめでとう")], [8, 9]);
  assert.equal(newer(""), 0);
});

// The messages and the count of OpenAI's own example for gpt-3.5 and gpt-4.
const example = {
  messages: [
    {
      role: "system",
      content: "You are a helpful, pattern-following assistant that translates corporate jargon into plain English.",
    },
    { role: "system", name: "example_user", content: "New synergies will help drive top-line growth." },
    { role: "system", name: "example_assistant", content: "Things working well together will increase revenue." },
    {
      role: "system",
      name: "example_user",
      content: "Let's circle back when we have more bandwidth to touch base on opportunities for increased leverage.",
    },
    {
      role: "system",
      name: "example_assistant",
      content: "Let's talk later when we're less busy about how to do better.",
    },
    { role: "user", content: "This late pivot means we don't have time to boil the ocean for the client deliverable." },
  ],
};

test("a chat has the count of its published example", async () => {
  assert.equal(await countTokens(promptTexts(example), "gpt-4-0613"), 129);
  assert.equal(await countTokens(promptTexts(example), "gpt-4o"), 124);
});

test("images count by constant rules, token numbers by their count", async () => {
  const image = (detail?: string) => ({
    type: "image_url",
    image_url: { url: "https://h.example/x.png", ...(detail === undefined ? {} : { detail }) },
  });
  const chat = (...content: unknown[]) => promptTexts({ messages: [{ role: "user", content }] });
  const bare = await countTokens(chat(), "gpt-4o");
  assert.equal((await countTokens(chat(image("low")), "gpt-4o")) - bare, 85);
  assert.equal((await countTokens(chat(image(), image("high")), "gpt-4o")) - bare, 1_530);
  assert.equal((await countTokens(chat(image("low")), "gpt-4o-mini")) - bare, 2_833);
  assert.equal(await countTokens(promptTexts({ prompt: [1, 2, 3] }), "gpt-4o"), 3);
});

test("text that looks like a control token is counted, not refused", async () => {
  const count = await tokenCounter("gpt-4o");
  assert.ok(count("a<|endoftext|>b") > 2);
});

test("the approximate count is 0.38 tokens per byte", async () => {
  const count = await tokenCounter("gpt-4o", "approximate");
  assert.deepEqual([count("a".repeat(100)), count("你".repeat(100))], [38, 114]);
});

test("pieces join to the text and none is a long unbroken run", () => {
  for (const text of [
    "plain text, as usual.",
    `x${"a".repeat(1_000)} y`,
    "你好".repeat(500),
    "/\n".repeat(500),
    "😀".repeat(301),
    " ".repeat(999),
    `${"-".repeat(128)}b`,
  ]) {
    const pieces = tokenPieces(text);
    assert.equal(pieces.join(""), text);
    for (const run of pieces.flatMap((piece) => piece.match(/[\p{L}\p{M}]+|[^\p{L}\p{N}]+/gu) ?? [])) {
      assert.ok(Array.from(run).length <= 128);
    }
  }
});

test("a text too long to count whole is estimated within one per cent", async () => {
  const count = await tokenCounter("gpt-4o");
  const sentence = "The quick brown fox jumps over the lazy dog. ";
  const estimate = count(sentence.repeat(20_000));
  assert.ok(Math.abs(estimate / 200_001 - 1) < 0.01, `${estimate}`);
});

test("a prompt of any length is counted whole, unless the time limit ends it", async () => {
  const sentence = "The quick brown fox jumps over the lazy dog. ";
  const parts = promptTexts({ messages: [{ role: "user", content: sentence.repeat(2_000) }] });
  const whole = await countPromptTokens(parts, "gpt-4o");
  assert.equal(whole.isWhole, true);
  assert.ok(Math.abs(whole.tokens / 20_000 - 1) < 0.01, `${whole.tokens}`);
  let asked = 0;
  const late = await countPromptTokens(parts, "gpt-4o", "exact", () => (asked += 1) > 5);
  assert.equal(late.isWhole, false);
  assert.ok(Math.abs(late.tokens / whole.tokens - 1) < 0.05, `${late.tokens}`);
});
