import { isRecord, type JsonRecord, listOf, numberOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { TOOL_FEES } from "../../shared/tool-fees.ts";

/** Beside these a report of usage names nothing that has a price of its own. */
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

/** False for most answers, whose report names tokens alone. */
export function namesBilling(answer: JsonRecord): boolean {
  const { usage } = answer;
  if (isRecord(usage)) for (const name in usage) if (!PLAIN_FIELDS.has(name)) return true;
  return listOf(answer.web_search).length > 0 || answer.server_side_tool_usage !== undefined || hasRunTools(answer);
}

/**
 * Returns the fees of the tools that an answer says the provider has run for it:
 *
 * | Provider | Where | Price |
 * |---|---|---|
 * | OpenRouter | `usage.server_tool_use.web_search_requests` | as OpenAI's search; its `cost` tells all of it |
 * | Perplexity | `usage.search_context_size`: a fee for each request | $5 to $14 for a thousand |
 * | Perplexity | `usage.num_search_queries` | $5 for a thousand |
 * | xAI | `usage.num_sources_used` | $25 for a thousand |
 * | xAI | `usage.server_side_tool_usage_details` | $2.50 to $10 for a thousand |
 * | Qwen | `usage.plugins.search.count` | as OpenAI's search |
 * | Zhipu | `web_search`, the results of one search | as OpenAI's search |
 * | Groq | `executed_tools` of a message | $8 for a thousand |
 *
 * Sources: https://docs.perplexity.ai/docs/getting-started/pricing, https://docs.x.ai/developers/pricing, https://groq.com/pricing
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

/** Fetching a page costs its tokens alone. */
function feesOfRequests(tools: JsonRecord): number {
  let fees = 0;
  for (const [name, count] of Object.entries(tools)) {
    if (name !== "web_fetch_requests") fees += countOf(count) * TOOL_FEES.unknownUse;
  }
  return fees;
}

/** Perplexity's fee for a request, by how much is searched for it, in fees: of the small models and of the larger ones. */
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

/** What a use of xAI's tools costs, by words of their names, the first that fits. Calls of MCP and looks at pictures cost their tokens alone. */
const XAI_FEES: readonly (readonly [RegExp, number])[] = [
  [/mcp|view_/, 0],
  [/attachment|document/, 20],
  [/collections|file_search/, 5],
  [/web_search|x_search|code/, 10],
];

/** The calls of each tool; where only their number is told, each costs as much as the dearest. */
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
