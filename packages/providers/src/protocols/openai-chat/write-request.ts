import type { WrittenRequest } from "../../format-sides.ts";
import {
  effortOfBudget,
  type AnswerFormat,
  type ChatRequest,
  type ChatTool,
  type Drop,
  takeForeignFields,
  nativeName,
  type ReasoningOptions,
  type ToolChoice,
} from "../../neutral/chat-request.ts";
import { needsResponses, responsesOnlyOf, takesEffort } from "../../model-facts/api-facts.ts";
import { LOGPROBS_FIELDS } from "../../neutral/logprobs.ts";
import type { JsonRecord } from "../../shared/json-fields.ts";
import { limitFields } from "../openai/openai-format.ts";
import { writeStrict } from "../openai/strict-schema.ts";
import type { OpenAiChatVariant } from "./openai-chat-variant.ts";
import { writeMessages } from "./write-messages.ts";
import { writeCacheMark } from "./write-parts.ts";

const MAX_STOPS = 4;
/** OpenAI's limit for `user`. */
const MAX_USER_LENGTH = 64;

export function writeRequest(request: ChatRequest, variant: OpenAiChatVariant): WrittenRequest {
  const dropped = new Set<string>();
  const drop: Drop = (name) => void dropped.add(name);
  const { options } = request;
  if (options.topK !== undefined && !variant.topK) drop("top_k");
  const tools = request.tools.flatMap((tool) => writeTool(tool, variant, drop));
  const tellsLogprobs = options.logprobs !== undefined && variant.logprobs && request.foreign.format !== "openai-chat";
  const fields: JsonRecord = {
    ...takeForeignFields(request.foreign, "openai-chat", drop, tellsLogprobs ? LOGPROBS_FIELDS : undefined),
    ...(tellsLogprobs && { logprobs: true, top_logprobs: options.logprobs || undefined }),
    model: request.model,
    messages: writeMessages(request, variant, drop),
    tools: tools.length === 0 ? undefined : tools,
    tool_choice: tools.length === 0 ? undefined : writeToolChoice(request.toolChoice, variant),
    parallel_tool_calls: request.singleToolCall && tools.length > 0 ? false : undefined,
    ...Object.fromEntries(limitFields(variant.limitField, request.model).map((name) => [name, options.maxTokens])),
    temperature: options.temperature,
    top_p: options.topP,
    top_k: variant.topK ? options.topK : undefined,
    n: options.answers,
    [variant.seedField]: options.seed,
    frequency_penalty: options.frequencyPenalty,
    presence_penalty: options.presencePenalty,
    stop: writeStops(options.stop, drop),
    response_format: writeAnswerFormat(options.answerFormat, drop),
    ...writeReasoning(request, variant, drop),
    user: writeUser(options.userId, drop),
    stream: request.stream ? true : undefined,
    stream_options: request.stream && variant.streamUsage === "on-request" ? { include_usage: true } : undefined,
  };
  const body = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return { body, dropped: [...dropped] };
}

function writeStops(stops: readonly string[], drop: Drop): readonly string[] | undefined {
  if (stops.length > MAX_STOPS) drop("stop");
  return stops.length === 0 ? undefined : stops.slice(0, MAX_STOPS);
}

function writeUser(userId: string, drop: Drop): string | undefined {
  if (userId.length > MAX_USER_LENGTH) drop("user");
  return userId === "" || userId.length > MAX_USER_LENGTH ? undefined : userId;
}

function writeTool(tool: ChatTool, variant: OpenAiChatVariant, drop: Drop): readonly JsonRecord[] {
  if (tool.type === "native") {
    if (tool.format === "openai-chat") return [tool.definition];
    drop(`tools.${nativeName(tool.definition)}`);
    return [];
  }
  const { name, description, schema, strict } = tool;
  return [
    {
      type: "function",
      function: {
        name,
        ...(description !== "" && { description }),
        parameters: schema,
        ...(strict !== undefined && { strict: writeStrict(strict, schema, "tools.strict", drop) }),
      },
      ...writeCacheMark(tool.cache, variant, drop),
    },
  ];
}

function writeToolChoice(choice: ToolChoice | undefined, variant: OpenAiChatVariant): unknown {
  if (choice === undefined) return undefined;
  if (choice.type === "function") return { type: "function", function: { name: choice.name } };
  return choice.type === "required" ? variant.requiredChoice : choice.type;
}

function writeAnswerFormat(format: AnswerFormat | undefined, drop: Drop): unknown {
  if (format === undefined) return undefined;
  if (format.type === "json") return { type: "json_object" };
  const { name, description, schema, strict } = format;
  return {
    type: "json_schema",
    json_schema: {
      name: name === "" ? "answer" : name,
      ...(description !== "" && { description }),
      schema,
      ...(strict !== undefined && { strict: writeStrict(strict, schema, "response_format.strict", drop) }),
    },
  };
}

function writeReasoning(request: ChatRequest, variant: OpenAiChatVariant, drop: Drop): JsonRecord {
  const { model } = request;
  const { reasoning } = request.options;
  if (variant.needsThoughts(model) && lacksThoughts(request)) {
    if (reasoning !== undefined && reasoning.mode !== "off") drop("reasoning");
    return { thinking: { type: "disabled" } };
  }
  if (variant.reasoning === "effort" && refusesReasoning(request)) {
    if (reasoning !== undefined && !isOff(reasoning)) drop("reasoning");
    return { reasoning_effort: "none" };
  }
  if (reasoning === undefined) return {};
  if (variant.reasoning === "thinking") return writeThinking(reasoning, variant, drop);
  if (variant.reasoning === "reasoning") return { reasoning: reasoningOf(reasoning) };
  if (variant.reasoning === "none" || (variant.reasoning === "effort" && !takesEffort(model))) {
    if (reasoning.mode !== "off") drop("reasoning");
    return {};
  }
  const effort = effortOf(reasoning);
  return effort === undefined ? {} : { reasoning_effort: effort };
}

/**
 * True if OpenAI's chat completions refuse tools while the model reasons. Servers without a Responses API then receive
 * no reasoning.
 */
function refusesReasoning({ model, tools, options: { reasoning } }: ChatRequest): boolean {
  if (tools.length === 0 || responsesOnlyOf(model) === "always") return false;
  return needsResponses(model, reasoning === undefined ? "unsaid" : "asked");
}

function isOff({ mode, effort }: ReasoningOptions): boolean {
  return mode === "off" || effort === "none";
}

function lacksThoughts({ messages }: ChatRequest): boolean {
  return messages.some(
    ({ parts }) =>
      parts.some(({ type }) => type === "tool-call") &&
      !parts.some((part) => part.type === "reasoning" && part.text !== ""),
  );
}

function writeThinking(reasoning: ReasoningOptions, { efforts }: OpenAiChatVariant, drop: Drop): JsonRecord {
  const { mode, effort } = reasoning;
  if (mode === "off" || effort === "none") return { thinking: { type: "disabled" } };
  const thinking = { type: "enabled" };
  if (effort === undefined) return { thinking };
  if (efforts !== undefined) return { thinking, reasoning_effort: efforts[effort] };
  drop("reasoning_effort");
  return { thinking };
}

/** OpenRouter's models show thoughts by default. Source: https://openrouter.ai/docs/use-cases/reasoning-tokens */
function reasoningOf(reasoning: ReasoningOptions): JsonRecord {
  const { mode, budgetTokens } = reasoning;
  if (mode === "off") return { enabled: false };
  if (mode === "budget" && budgetTokens !== undefined) return { max_tokens: budgetTokens };
  const effort = effortOf(reasoning);
  return effort === undefined ? { enabled: true } : { effort };
}

function effortOf({ mode, effort, budgetTokens }: ReasoningOptions): string | undefined {
  if (effort !== undefined) return effort === "max" ? "high" : effort;
  if (mode !== "budget" || budgetTokens === undefined) return undefined;
  return effortOfBudget(budgetTokens);
}
