import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createCountPrompt } from "./count-prompts.ts";

const body = (content: string) => Buffer.from(JSON.stringify({ model: "m", messages: [{ role: "user", content }] }));
const prompt = (content: string) => ({
  bytes: body(content),
  format: "openai-chat" as const,
  model: "gpt-4o",
  mode: "exact" as const,
});

describe("counting prompts in a thread", () => {
  it("counts, goes on after a body that it cannot read, and stays off this thread", async () => {
    const count = createCountPrompt();
    const [hello, broken, words] = await Promise.all([
      count(prompt("hello world")),
      count({ ...prompt(""), bytes: Buffer.from("{") }),
      count(prompt("word ".repeat(1_000))),
    ]);
    assert.deepEqual(hello, { tokens: 9, isWhole: true });
    assert.equal(broken?.tokens, undefined);
    assert.ok(Math.abs((words?.tokens ?? 0) - 1_008) < 10, `${words?.tokens}`);
  });

  it("gives an answer for text that takes long within its time, and says that it is not whole", async () => {
    let seed = 1;
    const letter = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return "bcdfghjklmnpqrstvwxz"[seed % 20];
    };
    const letters = Array.from({ length: 2_000_000 }, letter);
    const counted = await createCountPrompt()(prompt(letters.join("")));
    assert.equal(counted?.isWhole, false);
    assert.ok((counted.tokens ?? 0) > 500_000);
  });

  it("takes no more than it can hold", async () => {
    const count = createCountPrompt();
    const many = await Promise.all(Array.from({ length: 200 }, () => count(prompt("a"))));
    const counted = many.filter((one) => one !== undefined);
    assert.ok(counted.length >= 64 && counted.length < 200, `${counted.length}`);
    assert.equal((await count(prompt("a")))?.isWhole, true);
  });
});
