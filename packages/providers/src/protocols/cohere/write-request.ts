import type { WrittenRequest } from "../../format-sides.ts";
import {
  type AnswerFormat,
  type ChatOptions,
  type ChatRequest,
  type ChatTool,
  type Drop,
  hasCacheMark,
  takeForeignFields,
  nativeName,
  type ReasoningEffort,
  type ReasoningOptions,
  UntranslatableError,
} from "../../neutral/chat-request.ts";
import { LOGPROBS_FIELDS } from "../../neutral/logprobs.ts";
import { type JsonRecord, withoutMissing } from "../../shared/json-fields.ts";
import { writeMessages } from "./write-messages.ts";

/** Models that refuse the field `thinking`; all newer ones accept it. Source: https://docs.cohere.com/docs/models */
const THOUGHTLESS = /^(?:c4ai-|command$|command-(?:light|nightly|r(?:7b)?(?:-|$)|a$|a-03|a-vision|a-translate))/;
const MAX_STOPS = 5;
const LEAST_TOP_P = 0.01;
const MOST_TOP_P = 0.99;
const MOST_TOP_K = 500;

/**
 * Throws UntranslatableError for a model with web search, which Cohere has removed. Source:
 * https://docs.cohere.com/reference/chat
 */
export function writeRequest(request: ChatRequest): WrittenRequest {
  const dropped = new Set<string>();
  const drop: Drop = (name) => void dropped.add(name);
  const { model, options } = request;
  refuseSearch(model);
  const said = options.logprobs === undefined ? undefined : LOGPROBS_FIELDS;
  takeForeignFields(request.foreign, "cohere-chat", drop, said);
  noteUnknown(request, drop);
  const tools = writeTools(request, drop);
  const thinks = !THOUGHTLESS.test(model);
  const body = withoutMissing({
    model,
    messages: writeMessages(request.messages, thinks, drop),
    ...tools,
    response_format: writeAnswerFormat(options.answerFormat, tools.tools !== undefined, drop),
    thinking: writeThinking(options.reasoning, thinks, drop),
    ...writeSampling(options, drop),
    max_tokens: options.maxTokens,
    stop_sequences: writeStops(options.stop, drop),
    logprobs: options.logprobs === undefined ? undefined : true,
    stream: request.stream,
  });
  return { body, dropped: [...dropped] };
}

/** Model names with `-internet` requested a web search, which Cohere removed in September 2025. */
function refuseSearch(model: string): void {
  const [, plain] = /^(.+)-internet$/.exec(model) ?? [];
  if (plain === undefined) return;
  const message = `Cohere no longer searches the web, so that ${model} cannot be asked. Ask for ${plain} or a newer model and give it a tool that searches.`;
  throw new UntranslatableError("model", message);
}

function noteUnknown(request: ChatRequest, drop: Drop): void {
  const { options, singleToolCall } = request;
  if (options.answers !== undefined && options.answers > 1) drop("n");
  if ((options.logprobs ?? 0) > 0) drop("top_logprobs");
  if (singleToolCall) drop("parallel_tool_calls");
  if (options.userId !== "") drop("user");
  if (hasCacheMark(request)) drop("cache_control");
}

/** A choice of one tool becomes `required` with only that tool declared. */
function writeTools({ tools, toolChoice }: ChatRequest, drop: Drop): JsonRecord {
  const functions = tools.flatMap((tool) => (tool.type === "function" ? [tool] : []));
  for (const tool of tools) if (tool.type === "native") drop(`tools.${nativeName(tool.definition)}`);
  const chosen = functions.filter(({ name }) => toolChoice?.type !== "function" || name === toolChoice.name);
  if (chosen.length === 0) return {};
  const isStrict = chosen.every(({ strict }) => strict === true);
  if (!isStrict && chosen.some(({ strict }) => strict === true)) drop("tools.strict");
  const isForced = toolChoice?.type === "required" || toolChoice?.type === "function";
  return {
    tools: chosen.map(writeTool),
    ...(isStrict && { strict_tools: true }),
    ...(isForced && { tool_choice: "REQUIRED" }),
    ...(toolChoice?.type === "none" && { tool_choice: "NONE" }),
  };
}

function writeTool({ name, description, schema }: Extract<ChatTool, { type: "function" }>): JsonRecord {
  const parameters = Object.keys(schema).length === 0 ? { type: "object", properties: {} } : schema;
  return { type: "function", function: { name, ...(description !== "" && { description }), parameters } };
}

/** Cohere refuses an answer format beside tools. */
function writeAnswerFormat(format: AnswerFormat | undefined, hasTools: boolean, drop: Drop): JsonRecord | undefined {
  if (format === undefined) return undefined;
  if (hasTools) {
    drop("response_format");
    return undefined;
  }
  return { type: "json_object", ...(format.type === "json-schema" && { json_schema: format.schema }) };
}

/** Cohere has no effort levels: lower ones become budgets in tokens, higher ones are left to the model. */
const BUDGETS: Readonly<Partial<Record<ReasoningEffort, number>>> = { minimal: 512, low: 1_024, medium: 8_192 };

/** Source: https://docs.cohere.com/docs/reasoning */
function writeThinking(reasoning: ReasoningOptions | undefined, thinks: boolean, drop: Drop): JsonRecord | undefined {
  if (reasoning === undefined) return undefined;
  const { mode, effort, budgetTokens } = reasoning;
  const isOff = mode === "off" || effort === "none";
  if (!thinks) {
    if (!isOff) drop("reasoning");
    return undefined;
  }
  if (isOff) return { type: "disabled" };
  const budget = budgetTokens ?? (effort === undefined ? undefined : BUDGETS[effort]);
  return { type: "enabled", ...(budget !== undefined && { token_budget: budget }) };
}

function writeStops(stops: readonly string[], drop: Drop): readonly string[] | undefined {
  if (stops.length > MAX_STOPS) drop("stop");
  return stops.length === 0 ? undefined : stops.slice(0, MAX_STOPS);
}

/** Cohere's ranges are narrower: `p` is below 1, which means no limit; penalties start at 0 and exclude each other. */
function writeSampling({ temperature, topP, topK, seed, ...options }: ChatOptions, drop: Drop): JsonRecord {
  const frequency = writePenalty("frequency_penalty", options.frequencyPenalty, drop);
  const presence = writePenalty("presence_penalty", options.presencePenalty, drop);
  if (frequency !== undefined && presence !== undefined) drop("presence_penalty");
  if (topK !== undefined && topK > MOST_TOP_K) drop("top_k");
  return {
    temperature,
    p: topP === undefined ? undefined : Math.min(Math.max(topP, LEAST_TOP_P), MOST_TOP_P),
    k: topK === undefined ? undefined : Math.min(topK, MOST_TOP_K),
    seed,
    frequency_penalty: frequency,
    presence_penalty: frequency === undefined ? presence : undefined,
  };
}

function writePenalty(name: string, penalty: number | undefined, drop: Drop): number | undefined {
  if (penalty === undefined || penalty === 0) return undefined;
  if (penalty < 0 || penalty > 1) drop(name);
  return penalty < 0 ? undefined : Math.min(penalty, 1);
}
