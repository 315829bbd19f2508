import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { withUpstream } from "./testing/with-upstream.ts";

suite("moderations through the openai SDK", () => {
  test("a text is flagged for the categories that it names", async (t) => {
    const { client } = await withUpstream(t);
    const { results } = await client.moderations.create({ input: ["nice weather", "Violence and hate"] });
    assert.deepEqual(
      results.map((result) => result.flagged),
      [false, true],
    );
    assert.equal(results[1]?.categories.violence, true);
    assert.equal(results[1]?.categories.hate, true);
    assert.equal(results[1]?.categories.sexual, false);
  });

  test("a list of parts is one input", async (t) => {
    const { client } = await withUpstream(t);
    const input = [
      { type: "text" as const, text: "harassment" },
      { type: "image_url" as const, image_url: { url: "https://example.com/a.png" } },
    ];
    const { results } = await client.moderations.create({ input });
    assert.deepEqual(
      results.map((result) => result.flagged),
      [true],
    );
  });
});
