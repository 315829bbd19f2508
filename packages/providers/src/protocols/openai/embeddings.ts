import type { EmbeddingSide } from "../../format-sides.ts";
import type { EmbeddingAnswer, EmbeddingRequest } from "../../neutral/embedding.ts";
import { UntranslatableError } from "../../neutral/chat-request.ts";
import { type JsonRecord, listOf, numberOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { readUsage } from "./read-usage.ts";
import { readVector, toBase64 } from "./vector-encoding.ts";

/** Source: https://platform.openai.com/docs/api-reference/embeddings */
export const openAiEmbeddings: EmbeddingSide = { readRequest, writeRequest, readAnswer, writeAnswer };

const KNOWN = new Set(["model", "input", "dimensions", "encoding_format"]);

function readRequest(body: JsonRecord): EmbeddingRequest {
  const inputs = typeof body.input === "string" ? [body.input] : listOf(body.input);
  const texts = inputs.filter((input) => typeof input === "string");
  if (texts.length < inputs.length) {
    const message = "input must be a text or a list of texts: the provider of this model takes no token numbers.";
    throw new UntranslatableError("input", message);
  }
  return {
    model: textOf(body.model),
    inputs: texts,
    dimensions: numberOf(body.dimensions),
    isBase64: body.encoding_format === "base64",
    isSingle: typeof body.input === "string",
    ...(typeof body.input_type === "string" && { inputType: body.input_type }),
    foreign: Object.keys(body).filter((name) => !KNOWN.has(name)),
  };
}

function writeRequest({ model, inputs, dimensions, foreign }: EmbeddingRequest) {
  const body = { model, input: inputs, ...(dimensions !== undefined && { dimensions }), encoding_format: "float" };
  return { body, dropped: foreign };
}

function readAnswer(answer: JsonRecord): EmbeddingAnswer {
  const vectors = listOf(answer.data).map((item) => readVector(recordOf(item).embedding));
  return { model: textOf(answer.model), vectors, promptTokens: readUsage(answer)?.promptTokens };
}

function writeAnswer({ model, vectors, promptTokens }: EmbeddingAnswer, asked: EmbeddingRequest): JsonRecord {
  const data = vectors.map((vector, index) => ({
    object: "embedding",
    index,
    embedding: asked.isBase64 ? toBase64(vector) : vector,
  }));
  const usage = { prompt_tokens: promptTokens ?? 0, total_tokens: promptTokens ?? 0 };
  return { object: "list", data, model: model || asked.model, usage };
}
