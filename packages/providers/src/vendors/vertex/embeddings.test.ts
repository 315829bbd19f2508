import assert from "node:assert/strict";
import { test } from "node:test";
import { vertexEmbedContent, vertexPredict } from "./embeddings.ts";

const asked = {
  model: "m",
  isBase64: false,
  isSingle: false,
  dimensions: 8,
  inputType: "search_query",
  foreign: ["input_type", "x"],
};

test("embeddings of Vertex have the texts' purpose, and too long a text is refused", () => {
  const { body, dropped } = vertexPredict.embeddings?.writeRequest({ ...asked, inputs: ["a", "b"] }) ?? {};
  const instance = (content: string) => ({ content, task_type: "RETRIEVAL_QUERY" });
  assert.deepEqual(body, {
    instances: [instance("a"), instance("b")],
    parameters: { autoTruncate: false, outputDimensionality: 8 },
  });
  assert.deepEqual(dropped, ["x"]);
  const newer = vertexEmbedContent.embeddings?.writeRequest({ ...asked, inputs: ["a"] });
  assert.deepEqual(newer?.body, {
    content: { role: "user", parts: [{ text: "a" }] },
    embedContentConfig: { taskType: "RETRIEVAL_QUERY", outputDimensionality: 8 },
  });
  assert.throws(() => vertexEmbedContent.embeddings?.writeRequest({ ...asked, inputs: ["a", "b"] }), /one at a time/);
});

test("embeddings of Vertex are read with their tokens, if every one has a count", () => {
  const prediction = (value: number, statistics: object) => ({ embeddings: { values: [value], statistics } });
  const counted = { predictions: [prediction(1, { token_count: 2 }), prediction(2, { token_count: 3 })] };
  assert.deepEqual(vertexPredict.embeddings?.readAnswer(counted), { model: "", vectors: [[1], [2]], promptTokens: 5 });
  assert.equal(
    vertexPredict.readUsage({ predictions: [prediction(1, { token_count: 2 }), prediction(2, {})] }),
    undefined,
  );
  const newer = { embedding: { values: [1] }, usageMetadata: { promptTokenCount: 4 } };
  assert.deepEqual(vertexEmbedContent.embeddings?.readAnswer(newer), { model: "", vectors: [[1]], promptTokens: 4 });
});
