import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openAiEmbeddings } from "./embeddings.ts";
import { mendVectors, readVector, toBase64 } from "./vector-encoding.ts";

const VECTOR = [0, -0.125, 1, 3.5];
const answerOf = (embedding: unknown, more: object = {}) => ({
  object: "list",
  ...more,
  data: [{ object: "embedding", index: 0, embedding }],
  model: "m",
  usage: { prompt_tokens: 1, total_tokens: 1 },
});
const mend = (request: object, answer: object): unknown => {
  const mended = mendVectors({ ...request }, Buffer.from(JSON.stringify(answer, undefined, 1)));
  return mended === undefined ? undefined : JSON.parse(mended.toString());
};

describe("the encoding of vectors", () => {
  it("is the requested one, whatever the server supports", () => {
    const [listed, encoded] = [answerOf(VECTOR), answerOf(toBase64(VECTOR))];
    assert.deepEqual(mend({ encoding_format: "base64" }, listed), encoded);
    for (const request of [{}, { encoding_format: "float" }, { encoding_format: null }]) {
      assert.deepEqual(mend(request, encoded), listed);
      assert.equal(mend(request, listed), undefined);
    }
    assert.equal(mend({ encoding_format: "base64" }, encoded), undefined);
  });

  it("is found behind a long prefix too", () => {
    const long = answerOf(VECTOR, { note: "x".repeat(10_000) });
    assert.deepEqual(
      mend({ encoding_format: "base64" }, long),
      answerOf(toBase64(VECTOR), { note: "x".repeat(10_000) }),
    );
  });

  it("is unchanged for other numbers than floats, and without a vector", () => {
    assert.equal(mend({ encoding_format: "ubinary" }, answerOf("AAAA")), undefined);
    assert.equal(mend({ output_dtype: "int8" }, answerOf("AAAA")), undefined);
    assert.equal(mend({ encoding_format: "base64" }, { data: [] }), undefined);
  });

  it("is read in both forms for translated answers", () => {
    for (const embedding of [VECTOR, toBase64(VECTOR)]) {
      assert.deepEqual(openAiEmbeddings.readAnswer(answerOf(embedding)).vectors, [VECTOR]);
    }
    assert.deepEqual(readVector(undefined), []);
  });
});
