import { usageField } from "./report-usage.ts";
import { readModel } from "./read-model.ts";
import { countField, isJsonObject, type JsonObject, listField } from "./json-fields.ts";
import { refuse } from "./refusal.ts";
import { type Call, json, type Reply } from "./call.ts";
import { countWords } from "./prompt.ts";

interface Ranked {
  readonly index: number;
  readonly relevance_score: number;
}

/** Jina's form: https://api.jina.ai/redoc#tag/rerank */
export function rerank(call: Call): Reply {
  const { body, behaviour } = call;
  const model = readModel(call);
  const { texts, query } = readQuestion(body);
  const repeats = body["return_documents"] === true;
  const results = rank(query, texts, countField(body, "top_n", 1)).map((ranked) =>
    repeats ? { ...ranked, document: { text: texts[ranked.index] } } : ranked,
  );
  const tokens = countPairs(query, texts);
  const usage = usageField({ total_tokens: tokens, prompt_tokens: tokens }, behaviour);
  return json({ model, object: "list", ...usage, results });
}

export function readQuestion(body: JsonObject): { texts: readonly string[]; query: string } {
  const { query } = body;
  const documents = listField(body, "documents");
  if (typeof query !== "string" || query === "" || documents.length === 0)
    refuse("query and documents are required", { param: "query" });
  const texts = documents.map((document) => {
    const text = isJsonObject(document) ? document["text"] : document;
    return typeof text === "string" ? text : "";
  });
  return { texts, query };
}

/** Ranks by the share of the query's words in the document; ties in the order of the request. */
export function rank(query: string, texts: readonly string[], top: number | undefined): readonly Ranked[] {
  const words = query.toLowerCase().split(/\W+/).filter(Boolean);
  const score = (text: string) => {
    const found = words.filter((word) => text.toLowerCase().includes(word)).length;
    return words.length === 0 ? 0 : found / words.length;
  };
  const ranked = texts.map((text, index) => ({ index, relevance_score: score(text) }));
  return ranked.sort((left, right) => right.relevance_score - left.relevance_score).slice(0, top);
}

/** Each document is counted with the query. */
export function countPairs(query: string, texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + countWords(query) + countWords(text), 0);
}
