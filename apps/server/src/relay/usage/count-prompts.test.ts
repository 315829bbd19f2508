import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextLoop } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { createCountPrompt } from "./count-prompts.ts";

const body = (content: string) => Buffer.from(JSON.stringify({ model: "m", messages: [{ role: "user", content }] }));
const prompt = (content: string) => ({
  bytes: body(content),
  format: "openai-chat" as const,
  model: "gpt-4o",
  mode: "exact" as const,
});

describe("counting prompts in a thread", () => {
  it("counts in another thread, and continues after an unreadable body", async () => {
    const count = createCountPrompt(undefined, () => 0);
    const [hello, broken, words] = await Promise.all([
      count(prompt("hello world")),
      count({ ...prompt(""), bytes: Buffer.from("{") }),
      count(prompt("word ".repeat(1_000))),
    ]);
    assert.deepEqual(hello, { tokens: 9, isWhole: true });
    assert.equal(broken?.tokens, undefined);
    assert.ok(Math.abs((words?.tokens ?? 0) - 1_008) < 10, `${words?.tokens}`);
  });

  it("answers within the time limit, and reports an incomplete count", async () => {
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

  it("limits the wait", async () => {
    let now = 0;
    const count = createCountPrompt(undefined, () => now);
    const first = count(prompt("one"));
    const others = [count(prompt("two")), count(prompt("three"))];
    now = 5_000;
    assert.equal((await first)?.isWhole, true);
    assert.deepEqual(await Promise.all(others), [undefined, undefined]);
    assert.equal((await count(prompt("four")))?.isWhole, true);
  });

  it("limits the wait for a thread that starts slowly", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    let now = 0;
    const silent = new Worker("require('node:worker_threads').parentPort.on('message', () => {})", { eval: true });
    t.after(() => silent.terminate());
    const count = createCountPrompt(
      () => silent,
      () => now,
    );
    void count(prompt("one"));
    const others = [count(prompt("two")), count(prompt("three"))];
    now = 1_001;
    t.mock.timers.tick(now);
    const counted = await Promise.race([Promise.all(others), nextLoop("they still wait")]);
    assert.deepEqual(counted, [undefined, undefined]);
  });

  it("limits its queue", async () => {
    const count = createCountPrompt(undefined, () => 0);
    const many = await Promise.all(Array.from({ length: 200 }, () => count(prompt("a"))));
    const counted = many.filter((one) => one !== undefined);
    assert.ok(counted.length > 0 && counted.length <= 65, `${counted.length}`);
    assert.equal((await count(prompt("a")))?.isWhole, true);
  });
});
