import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { collect } from "./testing/collect.ts";
import { withUpstream } from "./testing/with-upstream.ts";

const model = "gpt-3.5-turbo-instruct";

suite("completions through the openai SDK", () => {
  test("a prompt is echoed and counted", async (t) => {
    const { client } = await withUpstream(t);
    const completion = await client.completions.create({ model, prompt: "hello there" });
    assert.equal(completion.object, "text_completion");
    assert.equal(completion.choices[0]?.text, "You said: hello there");
    assert.equal(completion.usage?.prompt_tokens, 2);
    assert.equal(completion.usage?.completion_tokens, 4);
  });

  test("a stream brings the text piece by piece, then the usage", async (t) => {
    const { client } = await withUpstream(t);
    const stream = await client.completions.create({
      model,
      prompt: "one two three",
      max_tokens: 4,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await collect(stream);
    assert.deepEqual(
      chunks.map((chunk) => chunk.choices[0]?.text),
      ["You", " said:", " one", " two", "", undefined],
    );
    assert.equal(chunks[4]?.choices[0]?.finish_reason, "length");
    assert.equal(chunks[5]?.usage?.completion_tokens, 4);
  });

  test("every prompt of a list gets its choices in order", async (t) => {
    const { client } = await withUpstream(t);
    const completion = await client.completions.create({ model, prompt: ["one", "two"], n: 2 });
    assert.deepEqual(
      completion.choices.map(({ index, text }) => `${index} ${text}`),
      ["0 You said: one", "1 You said: one", "2 You said: two", "3 You said: two"],
    );
  });
});
