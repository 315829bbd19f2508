import {
  type AnswerFormat,
  type ChatMessage,
  type ChatRequest,
  type ChatTool,
  REASONING_EFFORTS,
  type ReasoningOptions,
  THOUGHTS_SHOWN,
  type ToolChoice,
  UntranslatableError,
} from "../../neutral/chat-request.ts";
import {
  flagOf,
  isRecord,
  type JsonRecord,
  listOf,
  numberOf,
  recordOf,
  textOf,
  unknownParts,
} from "../../shared/json-fields.ts";
import { checkFields } from "../../neutral/check-fields.ts";
import { readCacheControl } from "../cache-control.ts";
import { lostOfContent, readContent } from "./read-parts.ts";
import { REQUEST } from "./request-shape.ts";

const KNOWN = new Set([
  "model",
  "messages",
  "system",
  "max_tokens",
  "temperature",
  "top_p",
  "top_k",
  "stop_sequences",
  "tools",
  "tool_choice",
  "thinking",
  "output_config",
  "stream",
]);

/** Throws UntranslatableError. Source: https://docs.anthropic.com/en/api/messages */
export function readRequest(body: JsonRecord): ChatRequest {
  if (!Array.isArray(body.messages)) throw new UntranslatableError("messages", "messages must be a list.");
  checkFields(body, REQUEST);
  const system = readContent(body.system);
  const foreign = Object.entries(body).filter(
    ([name, value]) => !KNOWN.has(name) && value !== null && value !== undefined && !isUserId(name, value),
  );
  const choice = recordOf(body.tool_choice);
  return {
    model: textOf(body.model),
    messages: [
      ...(system.length === 0 ? [] : [{ role: "system", name: "", parts: system } as const]),
      ...listOf(body.messages).map(readMessage),
    ],
    tools: listOf(body.tools).filter(isRecord).map(readTool),
    toolChoice: readToolChoice(choice),
    singleToolCall: choice.disable_parallel_tool_use === true,
    options: {
      maxTokens: numberOf(body.max_tokens),
      temperature: numberOf(body.temperature),
      topP: numberOf(body.top_p),
      topK: numberOf(body.top_k),
      seed: undefined,
      frequencyPenalty: undefined,
      presencePenalty: undefined,
      answers: undefined,
      stop: listOf(body.stop_sequences).map(textOf).filter(Boolean),
      answerFormat: readAnswerFormat(recordOf(body.output_config).format),
      reasoning: readReasoning(body),
      userId: textOf(recordOf(body.metadata).user_id),
    },
    stream: body.stream === true,
    // Anthropic's streams always report usage.
    reportUsage: true,
    foreign: {
      format: "anthropic-messages",
      fields: Object.fromEntries(foreign),
      indispensable: findIndispensable(body),
      lost: findLost(body),
    },
  };
}

const OUTPUT_PARTS: ReadonlySet<string> = new Set(["effort", "format"]);
const THINKING_PARTS: ReadonlySet<string> = new Set(["type", "budget_tokens", "display"]);

function findLost(body: JsonRecord): readonly string[] {
  const { output_config: output, thinking, messages } = body;
  return [
    ...unknownParts("output_config", output, OUTPUT_PARTS),
    ...unknownParts("thinking", thinking, THINKING_PARTS),
    // Few other providers can hide thoughts.
    ...(recordOf(thinking).display === "omitted" ? [THOUGHTS_SHOWN] : []),
    ...listOf(messages).flatMap((message) => lostOfContent(recordOf(message).content)),
  ];
}

/** Fields that no other format may drop: conversations that the provider stores or has summarized exist only there. */
export function findIndispensable(body: JsonRecord): readonly string[] {
  const kept = ["thread", "previous_message_id", "container"].filter(
    (field) => (body[field] ?? undefined) !== undefined,
  );
  const blocks = listOf(body.messages).flatMap((message) => listOf(recordOf(message).content));
  return blocks.some((block) => recordOf(block).type === "compaction") ? [...kept, "compaction"] : kept;
}

function isUserId(name: string, value: unknown): boolean {
  return name === "metadata" && Object.keys(recordOf(value)).every((field) => field === "user_id");
}

function readMessage(value: unknown, index: number): ChatMessage {
  const { role, content } = recordOf(value);
  if (role !== "user" && role !== "assistant" && role !== "system") {
    const field = `messages.${index}.role`;
    throw new UntranslatableError(field, `${field} must be user, assistant or system.`);
  }
  return { role, name: "", parts: readContent(content) };
}

function readTool(definition: JsonRecord): ChatTool {
  const { type, name, description, input_schema: schema, strict } = definition;
  if (type !== undefined && type !== null && type !== "custom") {
    return { type: "native", format: "anthropic-messages", definition };
  }
  return {
    type: "function",
    name: textOf(name),
    description: textOf(description),
    schema: recordOf(schema),
    strict: flagOf(strict),
    cache: readCacheControl(definition),
  };
}

function readToolChoice(choice: JsonRecord): ToolChoice | undefined {
  switch (choice.type) {
    case "auto":
    case "none":
      return { type: choice.type };
    case "any":
      return { type: "required" };
    case "tool":
      return { type: "function", name: textOf(choice.name) };
    default:
      return undefined;
  }
}

function readAnswerFormat(format: unknown): AnswerFormat | undefined {
  const { type, schema } = recordOf(format);
  if (type !== "json_schema") return undefined;
  return { type: "json-schema", name: "", description: "", schema: recordOf(schema), strict: undefined };
}

function readReasoning(body: JsonRecord): ReasoningOptions | undefined {
  const thinking = recordOf(body.thinking);
  const given = recordOf(body.output_config).effort;
  const effort = REASONING_EFFORTS.find((known) => known === given);
  const budgetTokens = numberOf(thinking.budget_tokens);
  const display = textOf(thinking.display) || undefined;
  switch (thinking.type) {
    case "disabled":
      return { mode: "off", budgetTokens: undefined, effort, display };
    case "enabled":
      return { mode: "budget", budgetTokens, effort, display };
    case "adaptive":
    case "between_tools":
      return { mode: "adaptive", budgetTokens: undefined, effort, display };
    default:
      return effort === undefined ? undefined : { mode: undefined, budgetTokens: undefined, effort, display };
  }
}
