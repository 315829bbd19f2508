import { countField, isJsonObject, type JsonObject, listField } from "../json-fields.ts";
import { openAiErrorBody, RequestRefused } from "../refusal.ts";
import type { Call, Reply } from "../reply.ts";
import { readModel, reportUsage } from "./generation.ts";
import { countWords } from "./prompt.ts";

/** A document and what it has to do with the query. */
interface Ranked {
  readonly index: number;
  readonly relevance_score: number;
}

/** POST /v1/rerank, as Jina has it: https://api.jina.ai/redoc#tag/rerank */
export function rerank(call: Call): Reply {
  const { body, behaviour } = call;
  const model = readModel(call);
  const { texts, query } = readQuestion(body);
  const repeats = body["return_documents"] === true;
  const results = rank(query, texts, countField(body, "top_n", 1)).map((ranked) =>
    repeats ? { ...ranked, document: { text: texts[ranked.index] } } : ranked,
  );
  const tokens = countPairs(query, texts);
  const usage = reportUsage({ total_tokens: tokens, prompt_tokens: tokens }, behaviour);
  return { kind: "json", body: { model, object: "list", ...(usage && { usage }), results }, tokens: 0 };
}

/** A search holds so many documents. */
const DOCUMENTS_A_SEARCH = 100;

/** POST /v2/rerank of Cohere, which counts searches: https://docs.cohere.com/reference/rerank */
export function cohereRerank(call: Call): Reply {
  const { id, body, behaviour } = call;
  readModel(call);
  const { texts, query } = readQuestion(body);
  if (listField(body, "documents").some((document) => typeof document !== "string"))
    throw new RequestRefused(400, openAiErrorBody("invalid request: documents must be strings"));
  const billed_units = reportUsage({ search_units: Math.ceil(texts.length / DOCUMENTS_A_SEARCH) }, behaviour);
  const meta = { api_version: { version: "2" }, ...(billed_units && { billed_units }) };
  const results = rank(query, texts, countField(body, "top_n", 1));
  return { kind: "json", body: { id, results, meta }, tokens: 0 };
}

/** Alibaba's own: https://help.aliyun.com/en/model-studio/text-rerank-api */
export function dashScopeRerank(call: Call): Reply {
  const { id, body, behaviour } = call;
  readModel(call);
  const [input, parameters] = [objectField(body, "input"), objectField(body, "parameters")];
  const { texts, query } = readQuestion(input);
  const output = { results: rank(query, texts, countField(parameters, "top_n", 1)) };
  const usage = reportUsage({ total_tokens: countPairs(query, texts) }, behaviour);
  return { kind: "json", body: { request_id: id, output, ...(usage && { usage }) }, tokens: 0 };
}

function objectField(body: JsonObject, name: string): JsonObject {
  const value = body[name];
  return isJsonObject(value) ? value : {};
}

function readQuestion(body: JsonObject): { texts: readonly string[]; query: string } {
  const { query } = body;
  const documents = listField(body, "documents");
  if (typeof query !== "string" || query === "" || documents.length === 0)
    throw new RequestRefused(400, openAiErrorBody("query and documents are required", { param: "query" }));
  const texts = documents.map((document) => {
    const text = isJsonObject(document) ? document["text"] : document;
    return typeof text === "string" ? text : "";
  });
  return { texts, query };
}

/** By the share of the query's words that the document has; of equals the first goes first. */
function rank(query: string, texts: readonly string[], top: number | undefined): readonly Ranked[] {
  const words = query.toLowerCase().split(/\W+/).filter(Boolean);
  const score = (text: string) => {
    const found = words.filter((word) => text.toLowerCase().includes(word)).length;
    return words.length === 0 ? 0 : found / words.length;
  };
  const ranked = texts.map((text, index) => ({ index, relevance_score: score(text) }));
  return ranked.sort((left, right) => right.relevance_score - left.relevance_score).slice(0, top);
}

/** The query is read anew with each document. */
function countPairs(query: string, texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + countWords(query) + countWords(text), 0);
}
