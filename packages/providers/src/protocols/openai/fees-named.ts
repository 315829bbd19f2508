import { isRecord, type JsonRecord, listOf, numberOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { TOOL_FEES } from "../../shared/tool-fees.ts";

const PLAIN_FIELDS: ReadonlySet<string> = new Set([
  "prompt_tokens",
  "completion_tokens",
  "total_tokens",
  "input_tokens",
  "output_tokens",
  "prompt_tokens_details",
  "completion_tokens_details",
  "input_tokens_details",
  "output_tokens_details",
]);

export function namesBilling(answer: JsonRecord): boolean {
  const { usage } = answer;
  if (isRecord(usage)) for (const name in usage) if (!PLAIN_FIELDS.has(name)) return true;
  return listOf(answer.web_search).length > 0 || answer.server_side_tool_usage !== undefined || hasRunTools(answer);
}

/**
 * Fees of the server tools that an answer reports. Prices are per 1,000.
 *
 * | Provider | Field | Price |
 * |---|---|---|
 * | OpenRouter | `usage.server_tool_use.web_search_requests` | as OpenAI's search; included in `cost` |
 * | Perplexity | `usage.search_context_size`, once per request | $5 to $14 |
 * | Perplexity | `usage.num_search_queries` | $5 |
 * | xAI | `usage.num_sources_used` | $25 |
 * | xAI | `usage.server_side_tool_usage_details` | $2.50 to $10 |
 * | Qwen | `usage.plugins.search.count` | as OpenAI's search |
 * | Zhipu | `web_search`, the results of one search | as OpenAI's search |
 * | Groq | `executed_tools` of a message | $8 |
 *
 * Sources: https://docs.perplexity.ai/docs/getting-started/pricing, https://docs.x.ai/developers/pricing,
 * https://groq.com/pricing
 */
export function feesNamed(answer: JsonRecord): number {
  const usage = recordOf(answer.usage);
  const searches = countOf(recordOf(recordOf(usage.plugins).search).count);
  return (
    feesOfRequests(recordOf(usage.server_tool_use)) +
    feesOfPerplexity(usage, textOf(answer.model)) +
    countOf(usage.num_sources_used) * TOOL_FEES.xAiSource +
    feesOfXAi(usage, answer) +
    searches * TOOL_FEES.unknownUse +
    (listOf(answer.web_search).length > 0 ? TOOL_FEES.unknownUse : 0) +
    countRunTools(answer) * TOOL_FEES.groqTool
  );
}

/** Page fetches only cost their tokens. */
function feesOfRequests(tools: JsonRecord): number {
  let fees = 0;
  for (const [name, count] of Object.entries(tools)) {
    if (name !== "web_fetch_requests") fees += countOf(count) * TOOL_FEES.unknownUse;
  }
  return fees;
}

/** Perplexity's fee per request by search context size: of small and of large models. */
const REQUEST_FEES: ReadonlyMap<unknown, readonly [number, number]> = new Map([
  ["low", [10, 12]],
  ["medium", [16, 20]],
  ["high", [24, 28]],
]);
const DEAREST_REQUEST_FEES = [28, 28] as const;

function feesOfPerplexity(
  { search_context_size: size, num_search_queries: queries }: JsonRecord,
  model: string,
): number {
  const ofQueries = countOf(queries) * TOOL_FEES.perplexityQuery;
  if (size === undefined || size === null) return ofQueries;
  const [small, large] = REQUEST_FEES.get(size) ?? DEAREST_REQUEST_FEES;
  return ofQueries + (/(?:^|\/)sonar(?:-reasoning)?$/.test(model) ? small : large);
}

/** Fees of xAI's tools by name; the first match wins. MCP calls and image views only cost their tokens. */
const XAI_FEES: readonly (readonly [RegExp, number])[] = [
  [/mcp|view_/, 0],
  [/attachment|document/, 20],
  [/collections|file_search/, 5],
  [/web_search|x_search|code/, 10],
];

/** Fees by tool. If only the number of calls is reported, each costs as much as the most expensive tool. */
function feesOfXAi(usage: JsonRecord, answer: JsonRecord): number {
  const details = usage.server_side_tool_usage_details ?? answer.server_side_tool_usage;
  if (!isRecord(details)) return countOf(usage.num_server_side_tools_used) * TOOL_FEES.unknownUse;
  let fees = 0;
  for (const [name, calls] of Object.entries(details)) {
    const known = XAI_FEES.find(([words]) => words.test(name.toLowerCase()));
    fees += countOf(calls) * (known?.[1] ?? TOOL_FEES.unknownUse);
  }
  return fees;
}

function hasRunTools({ choices }: JsonRecord): boolean {
  return listOf(choices).some((choice) => {
    const { message, delta } = recordOf(choice);
    return (recordOf(message).executed_tools ?? recordOf(delta).executed_tools) !== undefined;
  });
}

function countRunTools({ choices }: JsonRecord): number {
  return listOf(choices).reduce<number>((sum, choice) => {
    const { message, delta } = recordOf(choice);
    return sum + listOf(recordOf(message).executed_tools ?? recordOf(delta).executed_tools).length;
  }, 0);
}

function countOf(value: unknown): number {
  return Math.max(0, Math.ceil(numberOf(value) ?? 0));
}
