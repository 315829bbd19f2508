import type { FieldEdits, Format, RequestEdits } from "../../format.ts";
import type { EmbeddingSide } from "../../format-sides.ts";
import type { EmbeddingAnswer, EmbeddingRequest } from "../../neutral/embedding.ts";
import { UntranslatableError } from "../../neutral/chat-request.ts";
import { isRecord, type JsonRecord, listOf, numberOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { OpenAiStreamMeter } from "../openai/stream-meter.ts";
import { numberField } from "./fields.ts";
import { embeddingParts, embeddingTexts } from "./prompt-parts.ts";
import { carriesError, readError } from "./read-error.ts";
import { readUsage } from "./usage.ts";

/** One text or a batch. Source: https://ai.google.dev/api/embeddings */
export const geminiEmbeddings: Format = {
  name: "gemini-embeddings",
  edit,
  systemPromptEffect: () => undefined,
  promptParts: embeddingParts,
  // Embeddings have no streams.
  meter: (options) => new OpenAiStreamMeter(options),
  readUsage,
  carriesError,
  results: { embedding: "record", embeddings: "list" },
  answerText: () => "",
  readError,
  closing: "",
  errorEvent: (errorJson) => errorJson,
  chat: undefined,
  embeddings: { readRequest, writeRequest, readAnswer, writeAnswer } satisfies EmbeddingSide,
};

/** Each text of a batch repeats the model. */
function edit(body: JsonRecord, { model }: RequestEdits): FieldEdits {
  const fields = new Map<string, string>();
  const name = `models/${model}`;
  if (body.model !== undefined && body.model !== name) fields.set("model", JSON.stringify(name));
  const requests = listOf(body.requests);
  if (requests.some((request) => recordOf(request).model !== name)) {
    fields.set("requests", JSON.stringify(requests.map((request) => ({ ...recordOf(request), model: name }))));
  }
  return fields;
}

function readRequest(body: JsonRecord): EmbeddingRequest {
  const isBatch = Array.isArray(body.requests);
  const requests = isBatch ? listOf(body.requests).filter(isRecord) : [body];
  const [first] = requests;
  if (first === undefined)
    throw new UntranslatableError("requests", "requests must be a list with one or more of them.");
  const known = new Set(["model", "content", "outputDimensionality", "output_dimensionality"]);
  const foreign = Object.keys(first).filter((name) => !known.has(name));
  return {
    model: textOf(body.model),
    inputs: embeddingTexts(body),
    dimensions: numberField(first, "outputDimensionality"),
    isBase64: false,
    foreign,
    isSingle: !isBatch,
  };
}

function writeRequest({ model, inputs, dimensions, foreign }: EmbeddingRequest) {
  const requests = inputs.map((text) => ({
    model: `models/${model}`,
    content: { parts: [{ text }] },
    ...(dimensions !== undefined && { outputDimensionality: dimensions }),
  }));
  return { body: { requests }, dropped: foreign };
}

function readAnswer(answer: JsonRecord): EmbeddingAnswer {
  const found = Array.isArray(answer.embeddings) ? listOf(answer.embeddings) : [answer.embedding];
  const vectors = found.map((embedding) => listOf(recordOf(embedding).values).map((value) => numberOf(value) ?? 0));
  return { model: "", vectors, promptTokens: readUsage(answer)?.promptTokens };
}

function writeAnswer({ vectors, promptTokens }: EmbeddingAnswer, { isSingle }: EmbeddingRequest): JsonRecord {
  const embeddings = vectors.map((values) => ({ values }));
  const usage = promptTokens === undefined ? {} : { usageMetadata: { promptTokenCount: promptTokens } };
  return isSingle ? { embedding: embeddings[0] ?? { values: [] }, ...usage } : { embeddings, ...usage };
}
