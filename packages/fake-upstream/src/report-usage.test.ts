import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { UsageOverrideBehaviour } from "./behaviour.ts";
import { collect } from "./testing/collect.ts";
import { withUpstream } from "./testing/with-upstream.ts";

const messages = [{ role: "user" as const, content: "hello" }];
const cases: [override: Omit<UsageOverrideBehaviour, "kind">, expected: object | undefined][] = [
  [
    { report: "given", usage: { prompt_tokens: -1, extra: "x" } },
    { prompt_tokens: -1, extra: "x" },
  ],
  [{ report: "total-only" }, { total_tokens: 10 }],
  [{ report: "none" }, undefined],
];

suite("usage overrides", () => {
  for (const [override, expected] of cases) {
    test(`${override.report} is reported in documents and streams, the served tokens stay true`, async (t) => {
      const { client, upstream } = await withUpstream(t, { behaviour: { kind: "usage-override", ...override } });
      const completion = await client.chat.completions.create({ model: "m", messages });
      assert.deepEqual(completion.usage, expected);
      const stream_options = { include_usage: true };
      const stream = await client.chat.completions.create({ model: "m", messages, stream: true, stream_options });
      const chunks = await collect(stream);
      assert.deepEqual(chunks.find((chunk) => chunk.usage)?.usage, expected);
      assert.deepEqual(
        upstream.requests.map((request) => request.tokensServed),
        [3, 3],
      );
    });
  }

  test("an explicit zero is zero in every field", async (t) => {
    const { client } = await withUpstream(t, { behaviour: { kind: "usage-override", report: "zero" } });
    const { usage } = await client.chat.completions.create({ model: "m", messages });
    assert.equal(usage?.prompt_tokens, 0);
    assert.equal(usage?.total_tokens, 0);
    assert.equal(usage?.completion_tokens_details?.reasoning_tokens, 0);
    const embedding = await client.embeddings.create({ model: "m", input: "a b", dimensions: 2 });
    assert.deepEqual(embedding.usage, { prompt_tokens: 0, total_tokens: 0 });
  });
});
