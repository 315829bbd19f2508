import {
  type AnswerFormat,
  type ChatRequest,
  type ChatTool,
  nativeName,
  onlyAllowed,
  REASONING_EFFORTS,
  type ReasoningOptions,
  type ToolChoice,
  UntranslatableError,
} from "../../neutral/chat-request.ts";
import { checkFields } from "../../neutral/check-fields.ts";
import { flagOf, isRecord, type JsonRecord, listOf, numberOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { readCacheControl } from "../cache-control.ts";
import { namesFunctions } from "./answer.ts";
import { lostOfMessages, readMessage } from "./read-message.ts";
import { REQUEST } from "./request-shape.ts";

const KNOWN = new Set([
  "model",
  "messages",
  "tools",
  "functions",
  "tool_choice",
  "function_call",
  "parallel_tool_calls",
  "max_tokens",
  "max_completion_tokens",
  "temperature",
  "top_p",
  "top_k",
  "n",
  "seed",
  "random_seed",
  "stop",
  "frequency_penalty",
  "presence_penalty",
  "response_format",
  "reasoning_effort",
  "reasoning",
  "thinking",
  "user",
  "stream",
  "stream_options",
]);

/**
 * Reads a chat request with common extensions: `thinking`, `reasoning` and cache marks. Throws UntranslatableError.
 * Source: https://platform.openai.com/docs/api-reference/chat/create
 */
export function readRequest(body: JsonRecord): ChatRequest {
  const { messages } = body;
  if (!Array.isArray(messages)) throw new UntranslatableError("messages", "messages must be a list.");
  checkFields(body, REQUEST);
  const foreign = Object.entries(body).filter(
    ([name, value]) => !KNOWN.has(name) && value !== null && value !== undefined,
  );
  const tools = [...listOf(body.tools).map(readTool), ...listOf(body.functions).map(readFunction)];
  const allowed = readAllowed(body.tool_choice);
  return {
    model: textOf(body.model),
    messages: listOf(messages).map(readMessage),
    tools: allowed === undefined ? tools : onlyAllowed(tools, allowed),
    toolChoice: readToolChoice(body.tool_choice ?? body.function_call),
    singleToolCall: body.parallel_tool_calls === false || namesFunctions(body),
    options: {
      maxTokens: readLimit(body),
      temperature: numberOf(body.temperature),
      topP: numberOf(body.top_p),
      topK: numberOf(body.top_k),
      seed: numberOf(body.seed) ?? numberOf(body.random_seed),
      frequencyPenalty: numberOf(body.frequency_penalty),
      presencePenalty: numberOf(body.presence_penalty),
      answers: numberOf(body.n),
      stop: typeof body.stop === "string" ? [body.stop] : listOf(body.stop).map(textOf).filter(Boolean),
      answerFormat: readAnswerFormat(body.response_format),
      reasoning: readReasoning(body),
      // These are foreign fields too, because most formats lack them.
      logprobs: body.logprobs === true ? (numberOf(body.top_logprobs) ?? 0) : undefined,
      userId: textOf(body.user),
    },
    stream: body.stream === true,
    reportUsage: recordOf(body.stream_options).include_usage === true,
    foreign: { format: "openai-chat", fields: Object.fromEntries(foreign), indispensable: [], lost: findLost(body) },
  };
}

function readLimit(body: JsonRecord): number | undefined {
  const limits = [body.max_completion_tokens, body.max_tokens].map(numberOf).filter((limit) => limit !== undefined);
  return limits.length === 0 ? undefined : Math.min(...limits);
}

function readTool(tool: unknown): ChatTool {
  const definition = recordOf(tool);
  if (definition.type !== "function") return { type: "native", format: "openai-chat", definition };
  return { ...readFunction(definition.function), cache: readCacheControl(definition) };
}

function readFunction(value: unknown): Extract<ChatTool, { type: "function" }> {
  const { name, description, parameters, strict } = recordOf(value);
  return {
    type: "function",
    name: textOf(name),
    description: textOf(description),
    schema: isRecord(parameters) ? parameters : { type: "object", properties: {} },
    strict: flagOf(strict),
    cache: undefined,
  };
}

function readToolChoice(choice: unknown): ToolChoice | undefined {
  if (choice === "auto" || choice === "none" || choice === "required") return { type: choice };
  if (choice === "any") return { type: "required" };
  const record = recordOf(choice);
  const name = textOf(recordOf(record.function).name) || textOf(record.name);
  if (name !== "") return { type: "function", name };
  if (record.type !== "allowed_tools") return undefined;
  return { type: recordOf(record.allowed_tools).mode === "required" ? "required" : "auto" };
}

function readAllowed(choice: unknown): readonly string[] | undefined {
  const { type, allowed_tools: allowed } = recordOf(choice);
  if (type !== "allowed_tools") return undefined;
  const tools = listOf(recordOf(allowed).tools).filter(isRecord);
  return tools.map((tool) => textOf(recordOf(tool.function).name) || nativeName(tool));
}

function findLost(body: JsonRecord): readonly string[] {
  const { type } = recordOf(body.tool_choice);
  const isUnknown = type !== undefined && readToolChoice(body.tool_choice) === undefined;
  return [...(isUnknown ? ["tool_choice"] : []), ...lostOfMessages(listOf(body.messages))];
}

function readAnswerFormat(value: unknown): AnswerFormat | undefined {
  const format = recordOf(value);
  if (format.type === "json_object") return { type: "json" };
  if (format.type !== "json_schema") return undefined;
  const { name, description, schema, strict } = recordOf(format.json_schema);
  return {
    type: "json-schema",
    name: textOf(name),
    description: textOf(description),
    schema: recordOf(schema),
    strict: flagOf(strict),
  };
}

/** `reasoning_effort` is OpenAI's, `reasoning` OpenRouter's, `thinking` Anthropic's, DeepSeek's and Zhipu's. */
function readReasoning(body: JsonRecord): ReasoningOptions | undefined {
  const reasoning = recordOf(body.reasoning);
  const thinking = recordOf(body.thinking);
  const effort = REASONING_EFFORTS.find((known) => known === (body.reasoning_effort ?? reasoning.effort));
  const budgetTokens = numberOf(thinking.budget_tokens) ?? numberOf(reasoning.max_tokens);
  const mode =
    thinking.type === "disabled" || reasoning.enabled === false || effort === "none"
      ? "off"
      : budgetTokens !== undefined
        ? "budget"
        : thinking.type === "adaptive" || thinking.type === "enabled" || reasoning.enabled === true
          ? "adaptive"
          : undefined;
  if (mode === undefined && effort === undefined) return undefined;
  return { mode, budgetTokens, effort, display: textOf(thinking.display) || undefined };
}
