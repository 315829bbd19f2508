import type { ProviderFormat } from "../../format.ts";
import { JSON_LINES } from "../../framing/framing.ts";
import type { EmbeddingAnswer, EmbeddingRequest } from "../../neutral/embedding.ts";
import { type JsonRecord, listOf, numberOf, textOf } from "../../shared/json-fields.ts";
import { carriesError, readError } from "../../protocols/read-error.ts";
import { EXACT_FIELDS, OllamaStreamDecoder, readAnswer, readUsage } from "./answer.ts";
import { writeRequest } from "./write-request.ts";

/** Ollama's own chat: lines of JSON, with options that its OpenAI-compatible API lacks. Source: https://docs.ollama.com/api/chat */
export const ollamaChat: ProviderFormat = {
  name: "ollama-chat",
  framing: JSON_LINES,
  exactFields: EXACT_FIELDS,
  readUsage,
  carriesError,
  readError,
  results: { message: "record" },
  chat: { writeRequest, readAnswer, decode: () => new OllamaStreamDecoder() },
};

/** Source: https://docs.ollama.com/api/embed */
export const ollamaEmbeddings: ProviderFormat = {
  name: "ollama-embeddings",
  readUsage,
  carriesError,
  readError,
  results: { embeddings: "list" },
  chat: undefined,
  embeddings: { writeRequest: writeEmbeddings, readAnswer: readEmbeddings },
};

function writeEmbeddings({ model, inputs, dimensions, foreign }: EmbeddingRequest) {
  return { body: { model, input: inputs, ...(dimensions !== undefined && { dimensions }) }, dropped: foreign };
}

function readEmbeddings(answer: JsonRecord): EmbeddingAnswer {
  const vectors = listOf(answer.embeddings).map((vector) => listOf(vector).map((value) => numberOf(value) ?? 0));
  return { model: textOf(answer.model), vectors, promptTokens: numberOf(answer.prompt_eval_count) };
}
