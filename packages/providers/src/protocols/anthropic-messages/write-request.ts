import type { WrittenRequest } from "../../format-sides.ts";
import { refusesSampling } from "../../model-facts/api-facts.ts";
import { requiredLimit } from "../../model-facts/max-output-tokens.ts";
import {
  type ChatRequest,
  type ChatTool,
  type Drop,
  takeForeignFields,
  nativeName,
  WRITES_THOUGHTS_SHOWN,
  type ToolChoice,
} from "../../neutral/chat-request.ts";
import type { JsonRecord } from "../../shared/json-fields.ts";
import { writeCacheControl } from "../cache-control.ts";
import { writeReasoning } from "../claude-reasoning.ts";
import { NEWER_VERSION } from "./usage.ts";
import { claudeSchema } from "../claude-schema.ts";
import { writeConversation } from "./write-conversation.ts";

/** Writes a request in the version. Source: https://docs.anthropic.com/en/api/messages */
export function writeRequest(request: ChatRequest, version: string): WrittenRequest {
  const dropped = new Set<string>();
  const drop: Drop = (name) => void dropped.add(name);
  const { options } = request;
  const maxTokens = options.maxTokens ?? requiredLimit(request.model);
  const declared = request.tools.flatMap((tool) => writeTool(tool, drop));
  const tools = declared.length > 0 ? declared : toolsOfCalls(request);
  const reasoning = writeReasoning(request, maxTokens, drop);
  const fields: JsonRecord = {
    ...takeForeignFields(request.foreign, "anthropic-messages", drop, WRITES_THOUGHTS_SHOWN),
    model: request.model,
    max_tokens: maxTokens,
    ...writeConversation(request.messages, version, drop),
    tools: tools.length === 0 ? undefined : tools,
    tool_choice: declared.length > 0 ? writeToolChoice(request) : tools.length > 0 ? { type: "none" } : undefined,
    stop_sequences: writeStops(options.stop, drop),
    ...writeSampling(request, version, reasoning.thinking !== undefined, drop),
    ...writeOutput(request, reasoning.effort, drop),
    thinking: reasoning.thinking,
    metadata: options.userId === "" ? undefined : { user_id: options.userId },
    stream: request.stream ? true : undefined,
  };
  noteUnknown(request, drop);
  const body = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return { body, dropped: [...dropped] };
}

function noteUnknown({ options }: ChatRequest, drop: Drop): void {
  if (options.seed !== undefined) drop("seed");
  if ((options.frequencyPenalty ?? 0) !== 0) drop("frequency_penalty");
  if ((options.presencePenalty ?? 0) !== 0) drop("presence_penalty");
  if ((options.answers ?? 1) !== 1) drop("n");
}

function writeTool(tool: ChatTool, drop: Drop): readonly JsonRecord[] {
  if (tool.type === "native") {
    if (tool.format === "anthropic-messages") return [tool.definition];
    drop(`tools.${nativeName(tool.definition)}`);
    return [];
  }
  const { name, description, schema, strict } = tool;
  return [
    {
      name,
      ...(description !== "" && { description }),
      input_schema: { type: "object", ...(strict === true ? claudeSchema(schema, "tools.strict", drop) : schema) },
      ...(strict === true && { strict }),
      ...writeCacheControl(tool.cache),
    },
  ];
}

/** Anthropic requires declarations for the tools of earlier calls, even if the caller no longer declares them. */
function toolsOfCalls({ messages }: ChatRequest): readonly JsonRecord[] {
  const names = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "tool-call" ? [part.name] : [])),
  );
  return [...new Set(names)].map((name) => ({ name, input_schema: { type: "object" } }));
}

function writeToolChoice({ toolChoice, singleToolCall }: ChatRequest): JsonRecord | undefined {
  const single = singleToolCall ? { disable_parallel_tool_use: true } : {};
  if (toolChoice === undefined) return singleToolCall ? { type: "auto", ...single } : undefined;
  const choice = nameOfChoice(toolChoice);
  return choice.type === "none" ? choice : { ...choice, ...single };
}

function nameOfChoice(choice: ToolChoice): JsonRecord {
  if (choice.type === "function") return { type: "tool", name: choice.name };
  return { type: choice.type === "required" ? "any" : choice.type };
}

/** Anthropic refuses stop sequences of whitespace only. */
function writeStops(stops: readonly string[], drop: Drop): readonly string[] | undefined {
  const kept = stops.filter((stop) => stop.trim() !== "");
  if (kept.length < stops.length) drop("stop");
  return kept.length === 0 ? undefined : kept;
}

/**
 * The newer version and the newest models have no sampling options. The older version takes few of them with thinking,
 * and temperatures up to 1.
 */
function writeSampling(request: ChatRequest, version: string, thinks: boolean, drop: Drop): JsonRecord {
  const { temperature, topP, topK } = request.options;
  if (version === NEWER_VERSION || thinks || refusesSampling(request.model)) {
    if (temperature !== undefined && temperature !== 1) drop("temperature");
    if (topP !== undefined && topP !== 1) drop("top_p");
    if (topK !== undefined) drop("top_k");
    return {};
  }
  if (temperature !== undefined && temperature > 1) drop("temperature");
  // Newer models refuse both at once.
  const both = temperature !== undefined && topP !== undefined;
  if (both && topP !== 1) drop("top_p");
  return {
    temperature: temperature === undefined ? undefined : Math.min(1, temperature),
    top_p: both ? undefined : topP,
    top_k: topK,
  };
}

function writeOutput({ options }: ChatRequest, effort: string | undefined, drop: Drop): JsonRecord {
  const { answerFormat } = options;
  if (answerFormat?.type === "json") drop("response_format");
  const schema =
    answerFormat?.type === "json-schema" ? claudeSchema(answerFormat.schema, "response_format", drop) : undefined;
  if (schema === undefined && effort === undefined) return {};
  return {
    output_config: {
      ...(schema !== undefined && { format: { type: "json_schema", schema } }),
      ...(effort !== undefined && { effort }),
    },
  };
}
