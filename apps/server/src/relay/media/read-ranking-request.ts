import type { Format } from "@one-api/providers/format";
import { isRecord, type JsonRecord, listOf, textOf } from "@one-api/providers/shared/json-fields";
import {
  badField,
  lengthInBody,
  type ParsedRequest,
  parseRequest,
  promptUpperBound,
  type PromptUpperBound,
  type RequestBody,
  type RequestShape,
} from "../body/index.ts";

/** A search covers a query with up to 100 documents. Longer documents count once per 500 tokens. Source: https://cohere.com/pricing */
const DOCUMENTS_A_SEARCH = 100;
const TOKENS_A_DOCUMENT = 500;

export function readRankingRequest(format: Format, body: RequestBody): ParsedRequest {
  const { outline: json } = body;
  const prompt = boundRanking(json, body.bytes.length);
  const documents = listOf(json["documents"]).length + prompt.promptTokens / TOKENS_A_DOCUMENT;
  const media = { kind: "ranking", searches: Math.ceil(documents / DOCUMENTS_A_SEARCH) } as const;
  return parseRequest({ ...SHAPE, format }, body, { prompt, media });
}

const SHAPE: Omit<RequestShape, "format"> = {
  endpoint: "rerank",
  neverStreams: true,
  required: ["documents"],
  isList: true,
  limits: [],
  optionsOf(json) {
    if (textOf(json["query"]) !== "") return json;
    throw badField("query", 'Say what the documents are ranked by, for example "query": "What is a token?".');
  },
  wantsUsage: () => false,
  mostPriceFactor: () => 1,
};

/** Providers count the query once per document. Text documents are bounded by their bytes. */
function boundRanking(json: JsonRecord, bodyBytes: number): PromptUpperBound {
  const documents = listOf(json["documents"]);
  const bound = promptUpperBound(json, bodyBytes);
  const promptTokens = bound.promptTokens + lengthInBody(textOf(json["query"])) * Math.max(1, documents.length);
  return { ...bound, promptTokens, isOpen: !documents.every(isText) };
}

function isText(document: unknown): boolean {
  if (typeof document === "string") return true;
  return isRecord(document) && typeof document["text"] === "string" && !("image" in document);
}
