import type { ProviderFormat } from "../../format.ts";
import type { ProviderEmbeddings } from "../../format-sides.ts";
import { UntranslatableError } from "../../neutral/chat-request.ts";
import type { EmbeddingRequest } from "../../neutral/embedding.ts";
import { type JsonRecord, listOf, numberOf, recordOf } from "../../shared/json-fields.ts";
import { NO_USAGE } from "../../usage.ts";
import { carriesError, readError } from "../../protocols/read-error.ts";

const INPUT_TYPE = "input_type";
const TASKS: Readonly<Record<string, string>> = {
  search_query: "RETRIEVAL_QUERY",
  search_document: "RETRIEVAL_DOCUMENT",
  classification: "CLASSIFICATION",
  clustering: "CLUSTERING",
};

/** Embeddings by `predict`. Source: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api */
export const vertexPredict: ProviderFormat = formatOf(
  {
    writeRequest(request) {
      const { task, dropped } = taskOf(request);
      const { inputs, dimensions } = request;
      const instances = inputs.map((content) => ({ content, ...(task !== undefined && { task_type: task }) }));
      const length = dimensions === undefined ? {} : { outputDimensionality: dimensions };
      return { body: { instances, parameters: { autoTruncate: false, ...length } }, dropped };
    },
    readAnswer: (answer) => ({
      model: "",
      vectors: embeddingsOf(answer).map(({ values }) => numbersOf(values)),
      promptTokens: predictedTokens(answer),
    }),
  },
  predictedTokens,
);

/** Embeddings of newer models, one text per call. Source: https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest */
export const vertexEmbedContent: ProviderFormat = formatOf(
  {
    writeRequest(request) {
      const [text = "", ...more] = request.inputs;
      if (more.length > 0) {
        const message = `input holds ${request.inputs.length} texts, and ${request.model} takes one at a time: send each in a request of its own.`;
        throw new UntranslatableError("input", message);
      }
      const { task, dropped } = taskOf(request);
      const { dimensions } = request;
      const config = {
        ...(task !== undefined && { taskType: task }),
        ...(dimensions !== undefined && { outputDimensionality: dimensions }),
      };
      return { body: { content: { role: "user", parts: [{ text }] }, embedContentConfig: config }, dropped };
    },
    readAnswer: (answer) => ({
      model: "",
      vectors: [numbersOf(recordOf(answer.embedding).values)],
      promptTokens: reportedTokens(answer),
    }),
  },
  reportedTokens,
);

function formatOf(embeddings: ProviderEmbeddings, tokensOf: (answer: unknown) => number | undefined): ProviderFormat {
  return {
    name: "vertex-embeddings",
    readUsage(answer) {
      const promptTokens = tokensOf(answer);
      return promptTokens === undefined ? undefined : { ...NO_USAGE, promptTokens };
    },
    carriesError,
    readError,
    results: { predictions: "list", embedding: "any" },
    chat: undefined,
    embeddings,
  };
}

function taskOf({ inputType, foreign }: EmbeddingRequest) {
  const task = inputType === undefined ? undefined : TASKS[inputType];
  return { task, dropped: task === undefined ? foreign : foreign.filter((name) => name !== INPUT_TYPE) };
}

function embeddingsOf(answer: JsonRecord): readonly JsonRecord[] {
  return listOf(answer.predictions).map((prediction) => recordOf(recordOf(prediction).embeddings));
}

function predictedTokens(answer: unknown): number | undefined {
  const counts = embeddingsOf(recordOf(answer)).map(({ statistics }) => numberOf(recordOf(statistics).token_count));
  if (counts.length === 0) return undefined;
  return counts.reduce((sum, count) => (sum === undefined || count === undefined ? undefined : sum + count), 0);
}

function reportedTokens(answer: unknown): number | undefined {
  return numberOf(recordOf(recordOf(answer).usageMetadata).promptTokenCount);
}

function numbersOf(vector: unknown): readonly number[] {
  return listOf(vector).map((value) => numberOf(value) ?? 0);
}
