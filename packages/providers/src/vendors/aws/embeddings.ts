import type { ProviderFormat } from "../../format.ts";
import type { ProviderEmbeddings } from "../../format-sides.ts";
import { UntranslatableError } from "../../neutral/chat-request.ts";
import type { EmbeddingRequest } from "../../neutral/embedding.ts";
import { type JsonRecord, listOf, numberOf, recordOf } from "../../shared/json-fields.ts";
import { NO_USAGE } from "../../usage.ts";
import { carriesError, readError } from "./read-error.ts";

/** Titan's embeddings: one text per call. Source: https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html */
const titan: ProviderEmbeddings = {
  writeRequest({ model, inputs, dimensions, foreign }: EmbeddingRequest) {
    const [text, ...more] = inputs;
    if (more.length > 0) {
      const message = `input holds ${inputs.length} texts, and ${model} takes one at a time: send each in a request of its own, or use a model of Cohere.`;
      throw new UntranslatableError("input", message);
    }
    // The first version has a fixed length.
    const isFirst = model.includes("embed-text-v1") || model.includes("g1-text");
    const dropped = isFirst && dimensions !== undefined ? [...foreign, "dimensions"] : foreign;
    return { body: { inputText: text, ...(!isFirst && dimensions !== undefined && { dimensions }) }, dropped };
  },
  readAnswer: (answer) => ({ model: "", vectors: [numbersOf(answer.embedding)], promptTokens: tokensOf(answer) }),
};

function numbersOf(vector: unknown): readonly number[] {
  return listOf(vector).map((value) => numberOf(value) ?? 0);
}

function tokensOf(answer: unknown): number | undefined {
  return numberOf(recordOf(answer).inputTextTokenCount);
}

/**
 * Cohere's own format without the model, which is in the path. Source:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed-v4.html
 */
function cohere(own: ProviderEmbeddings): ProviderEmbeddings {
  return {
    writeRequest(request) {
      const { body, dropped } = own.writeRequest(request);
      const { model: _model, output_dimension: length, ...fields } = body;
      // Only version 4 and newer can choose the length.
      const canChoose = /embed-v[4-9]/.test(request.model);
      return {
        body: { ...fields, ...(canChoose && length !== undefined && { output_dimension: length }) },
        dropped: !canChoose && length !== undefined ? [...dropped, "dimensions"] : dropped,
      };
    },
    readAnswer: (answer: JsonRecord) => own.readAnswer(answer),
  };
}

/** Embeddings in the model's own format (InvokeModel); undefined for an unknown model. `own` is Cohere's format at Cohere. */
export function bedrockEmbeddings(
  model: string,
  { embeddings: own }: Pick<ProviderFormat, "embeddings">,
): ProviderFormat | undefined {
  const isCohere = /cohere\.embed/.test(model);
  const embeddings = isCohere && own !== undefined ? cohere(own) : /titan-embed/.test(model) ? titan : undefined;
  if (embeddings === undefined) return undefined;
  return {
    name: "bedrock-embeddings",
    readUsage(answer) {
      const promptTokens = tokensOf(answer);
      return promptTokens === undefined ? undefined : { ...NO_USAGE, promptTokens };
    },
    carriesError: (answer) => recordOf(answer).embeddings === undefined && carriesError(answer),
    readError,
    results: { embedding: "any", embeddings: "any" },
    chat: undefined,
    embeddings,
  };
}
