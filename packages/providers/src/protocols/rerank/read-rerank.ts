import { UntranslatableError } from "../../neutral/chat-request.ts";
import type { RerankAnswer, RerankRequest } from "../../neutral/rerank.ts";
import { type JsonRecord, listOf, numberOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { NO_USAGE, type Usage } from "../../usage.ts";
import { readUsage as readTokens } from "../openai/read-usage.ts";
import { documentText } from "./prompt-parts.ts";

const KNOWN = new Set(["model", "query", "documents", "top_n", "return_documents"]);

/** Accepts Jina's and Cohere's fields. Throws UntranslatableError. */
export function readRequest(body: JsonRecord): RerankRequest {
  const documents = listOf(body.documents).map((document, index) => {
    const text = documentText(document);
    if (text !== "" || document === "") return text;
    const message = `documents.${index} must be a text, or an object with one in the field text.`;
    throw new UntranslatableError("documents", message);
  });
  return {
    model: textOf(body.model),
    query: textOf(body.query),
    documents,
    topN: numberOf(body.top_n),
    returnDocuments: body.return_documents === true,
    foreign: Object.keys(body).filter((name) => !KNOWN.has(name)),
  };
}

export function readAnswer(answer: JsonRecord): RerankAnswer {
  const usage = readUsage(answer);
  return {
    id: textOf(answer.id),
    model: textOf(answer.model),
    results: listOf(answer.results).map((result) => {
      const { index, relevance_score: score } = recordOf(result);
      return { index: numberOf(index) ?? 0, score: numberOf(score) ?? 0 };
    }),
    promptTokens: usage === undefined || usage.promptTokens === 0 ? undefined : usage.promptTokens,
    searches: usage === undefined || usage.searches === 0 ? undefined : usage.searches,
  };
}

/** Tokens are in `usage`, or in `meta.tokens` (Cohere, SiliconFlow); billed searches in `meta.billed_units`. */
export function readUsage(answer: unknown): Usage | undefined {
  const { meta } = recordOf(answer);
  const { tokens, billed_units: billed } = recordOf(meta);
  const reported = readTokens(answer) ?? readTokens({ usage: tokens });
  const searches = numberOf(recordOf(billed).search_units) ?? 0;
  if (reported === undefined && searches <= 0) return undefined;
  // Rerankers generate no tokens: all counted tokens are prompt.
  const { promptTokens, completionTokens, toolFees, providerDollars } = reported ?? NO_USAGE;
  const beside = { toolFees, providerDollars };
  return {
    ...NO_USAGE,
    ...beside,
    promptTokens: promptTokens + completionTokens,
    searches: Math.ceil(Math.max(0, searches)),
  };
}
