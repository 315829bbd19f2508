import type { ProviderFormat } from "../../format.ts";
import { listOf, numberOf, recordOf } from "../../shared/json-fields.ts";
import { NO_USAGE } from "../../usage.ts";
import { carriesError, readError } from "../../protocols/read-error.ts";

/** Embeddings of MiniMax: OpenAI's path, own format. Source: https://platform.minimaxi.com/document/guides/embeddings */
export const miniMaxEmbeddings: ProviderFormat = {
  name: "minimax-embeddings",
  readUsage(answer) {
    const promptTokens = numberOf(recordOf(answer).total_tokens);
    return promptTokens === undefined ? undefined : { ...NO_USAGE, promptTokens };
  },
  carriesError,
  results: { vectors: "list" },
  readError,
  chat: undefined,
  embeddings: {
    writeRequest({ model, inputs, dimensions, inputType = "", foreign }) {
      // Queries and documents have different vectors.
      const body = { model, texts: inputs, type: inputType.includes("query") ? "query" : "db" };
      const others = foreign.filter((name) => name !== "input_type");
      return { body, dropped: dimensions === undefined ? others : [...others, "dimensions"] };
    },
    readAnswer: ({ vectors, total_tokens: tokens }) => ({
      model: "",
      vectors: listOf(vectors).map((vector) => listOf(vector).map((value) => numberOf(value) ?? 0)),
      promptTokens: numberOf(tokens),
    }),
  },
};
