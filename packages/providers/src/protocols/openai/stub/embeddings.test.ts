import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { withStubServer } from "@one-api/stub-server/testing/with-stub-server";

const model = "text-embedding-3-small";

suite("embeddings through the openai SDK", () => {
  test("the floats of the default base64 answer equal those of a float answer", async (t) => {
    const { client, upstream } = await withStubServer(t);
    const encoded = await client.embeddings.create({ model, input: "hello there" });
    const plain = await client.embeddings.create({ model, input: "hello there", encoding_format: "float" });
    const vector = [...(encoded.data[0]?.embedding ?? [])];
    assert.equal(vector.length, 1_536);
    assert.deepEqual(vector, plain.data[0]?.embedding);
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value ** 2, 0));
    assert.ok(Math.abs(length - 1) < 1e-5, `length is ${length}`);
    assert.equal(encoded.usage.prompt_tokens, 2);
    assert.partialDeepStrictEqual(upstream.requests[0]?.body, { encoding_format: "base64" });
  });

  test("a list returns one vector each, equal for equal texts", async (t) => {
    const { client } = await withStubServer(t);
    const { data } = await client.embeddings.create({ model, input: ["a", "b", "a"], dimensions: 8 });
    assert.deepEqual(
      data.map(({ index, embedding }) => [index, embedding.length]),
      [
        [0, 8],
        [1, 8],
        [2, 8],
      ],
    );
    assert.deepEqual(data[0]?.embedding, data[2]?.embedding);
    assert.notDeepEqual(data[0]?.embedding, data[1]?.embedding);
  });

  test("token lists count by their length", async (t) => {
    const { client } = await withStubServer(t);
    const one = await client.embeddings.create({ model, input: [1, 2, 3], dimensions: 2 });
    assert.deepEqual([one.data.length, one.usage.total_tokens], [1, 3]);
    const two = await client.embeddings.create({ model, input: [[1, 2, 3], [4]], dimensions: 2 });
    assert.deepEqual([two.data.length, two.usage.total_tokens], [2, 4]);
  });

  test("an empty input and too many dimensions are refused", async (t) => {
    const { client } = await withStubServer(t);
    await assert.rejects(client.embeddings.create({ model, input: [] }), { status: 400, param: "input" });
    const tooMany = client.embeddings.create({ model, input: "a", dimensions: 3_073 });
    await assert.rejects(tooMany, { status: 400, param: "dimensions" });
  });
});
