import type { FieldEdits, Format, FormatName, RequestEdits } from "../../format.ts";
import type { RerankSide } from "../../format-sides.ts";
import type { RerankAnswer, RerankRequest } from "../../neutral/rerank.ts";
import { type JsonRecord, listOf } from "../../shared/json-fields.ts";
import { OpenAiStreamMeter } from "../openai/stream-meter.ts";
import { carriesError, readError } from "../read-error.ts";
import { rerankTexts } from "./prompt-parts.ts";
import { readAnswer, readRequest, readUsage } from "./read-rerank.ts";

/**
 * Jina's format, which most providers and self-hosted servers share. Sources: https://api.jina.ai/redoc#tag/rerank,
 * https://docs.siliconflow.cn/en/api-reference/rerank/create-rerank
 */
export const rerank: Format = rerankFormat("rerank", { carriesError, readError }, writeAnswer);

export function rerankFormat(
  name: FormatName,
  errors: Pick<Format, "carriesError" | "readError">,
  write: RerankSide["writeAnswer"],
): Format {
  return {
    name,
    ...errors,
    edit,
    systemPromptEffect: () => undefined,
    promptParts: rerankTexts,
    // Reranking has no streams.
    meter: (options) => new OpenAiStreamMeter(options),
    readUsage,
    results: { results: "list" },
    answerText: () => "",
    closing: "",
    errorEvent: (errorJson) => errorJson,
    chat: undefined,
    rerank: { readRequest, writeRequest, readAnswer, writeAnswer: write },
  };
}

function edit(body: JsonRecord, { model }: RequestEdits): FieldEdits {
  return model === body.model ? new Map() : new Map([["model", JSON.stringify(model)]]);
}

function writeRequest({ model, query, documents, topN, foreign }: RerankRequest) {
  return { body: { model, query, documents, ...(topN !== undefined && { top_n: topN }) }, dropped: foreign };
}

/** Writes Jina's `usage` and Cohere's `meta`, which Cohere's older clients read at the same path. */
function writeAnswer(answer: RerankAnswer, asked: RerankRequest): JsonRecord {
  const { promptTokens = 0 } = answer;
  return {
    ...writeCohereAnswer(answer, asked),
    object: "list",
    model: answer.model || asked.model,
    usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
  };
}

/** Cohere's fields only; the other form contains them too. */
export function writeCohereAnswer(
  { id, results, searches, promptTokens }: RerankAnswer,
  asked: RerankRequest,
): JsonRecord {
  const meta = {
    api_version: { version: "2" },
    ...(searches !== undefined && { billed_units: { search_units: searches } }),
    ...(promptTokens !== undefined && { tokens: { input_tokens: promptTokens } }),
  };
  return { ...(id !== "" && { id }), results: results.map((result) => writeResult(result, asked)), meta };
}

function writeResult({ index, score }: RerankAnswer["results"][number], asked: RerankRequest): JsonRecord {
  const document = asked.returnDocuments ? { document: { text: listOf(asked.documents)[index] ?? "" } } : {};
  return { index, relevance_score: score, ...document };
}
