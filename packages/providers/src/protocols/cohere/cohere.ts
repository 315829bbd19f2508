import type { ProviderFormat } from "../../format.ts";
import type { WrittenRequest } from "../../format-sides.ts";
import { UntranslatableError } from "../../neutral/chat-request.ts";
import type { EmbeddingAnswer, EmbeddingRequest } from "../../neutral/embedding.ts";
import { USUAL_LIMITS } from "../../neutral/fit/request-limits.ts";
import { type JsonRecord, listOf, numberOf, recordOf } from "../../shared/json-fields.ts";
import { rerankFormat, writeCohereAnswer } from "../rerank/rerank.ts";
import { CohereStreamDecoder, readAnswer, readUsage } from "./answer.ts";
import { carriesError, readError } from "./read-error.ts";
import { writeRequest } from "./write-request.ts";

/** Version 2. Source: https://docs.cohere.com/reference/chat */
export const cohereChat: ProviderFormat = {
  name: "cohere-chat",
  readUsage,
  carriesError,
  readError,
  results: { message: "record" },
  // Source: https://docs.cohere.com/docs/structured-outputs
  chat: {
    limits: { ...USUAL_LIMITS, hasObjectAnswers: true },
    writeRequest,
    readAnswer,
    decode: () => new CohereStreamDecoder(),
  },
};

/** Source: https://docs.cohere.com/reference/embed */
export const cohereEmbeddings: ProviderFormat = {
  name: "cohere-embeddings",
  readUsage,
  carriesError,
  readError,
  results: { embeddings: "any" },
  chat: undefined,
  embeddings: { writeRequest: writeEmbeddings, readAnswer: readEmbeddings },
};

/** Source: https://docs.cohere.com/reference/rerank */
export const cohereRerank = rerankFormat("cohere-rerank", { carriesError, readError }, writeCohereAnswer);

const MAX_TEXTS = 96;
const INPUT_TYPE = "input_type";

/** Texts are documents unless the caller sends another `input_type`. Overlong texts are refused, not truncated. */
function writeEmbeddings({ model, inputs, dimensions, inputType, foreign }: EmbeddingRequest): WrittenRequest {
  if (inputs.length > MAX_TEXTS) {
    const message = `input holds ${inputs.length} texts, and the provider of this model takes ${MAX_TEXTS} at most: send them in several requests.`;
    throw new UntranslatableError("input", message);
  }
  const body = {
    model,
    texts: inputs,
    input_type: inputType ?? "search_document",
    embedding_types: ["float"],
    ...(dimensions !== undefined && { output_dimension: dimensions }),
    truncate: "NONE",
  };
  return { body, dropped: foreign.filter((name) => name !== INPUT_TYPE || inputType === undefined) };
}

function readEmbeddings(answer: JsonRecord): EmbeddingAnswer {
  const { float } = recordOf(answer.embeddings);
  const vectors = listOf(float).map((vector) => listOf(vector).map((value) => numberOf(value) ?? 0));
  return { model: "", vectors, promptTokens: readUsage(answer)?.promptTokens };
}
