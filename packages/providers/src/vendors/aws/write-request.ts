import type { WrittenRequest } from "../../format-sides.ts";
import { requiredLimit } from "../../model-facts/max-output-tokens.ts";
import {
  type ChatRequest,
  type ChatTool,
  type Drop,
  takeForeignFields,
  nativeName,
  type ReasoningEffort,
  WRITES_THOUGHTS_SHOWN,
} from "../../neutral/chat-request.ts";
import { type JsonRecord, withoutMissing } from "../../shared/json-fields.ts";
import { claudeSchema } from "../../protocols/claude-schema.ts";
import { writeReasoning } from "../../protocols/claude-reasoning.ts";
import type { ModelTraits } from "./model-traits.ts";
import { writeCachePoint, writeConversation } from "./write-conversation.ts";

export function writeRequest(request: ChatRequest, traits: ModelTraits): WrittenRequest {
  const dropped = new Set<string>();
  const drop: Drop = (name) => void dropped.add(name);
  takeForeignFields(request.foreign, "bedrock-converse", drop, WRITES_THOUGHTS_SHOWN);
  noteUnknown(request, drop);
  const { maxTokens: requested, stop } = request.options;
  const most = requested ?? requiredLimit(request.model);
  const thinking = writeThinking(request, most, traits, drop);
  const thinks = thinking.thinking !== undefined;
  const more = { ...thinking, ...writeTopK(request, traits, thinks, drop) };
  const stops = stop.filter((text) => text.trim() !== "");
  if (stops.length < stop.length) drop("stop");
  const inference = withoutMissing({
    // The reasoning budget is within the limit, so the limit must be set.
    maxTokens: requested ?? (thinks ? most : undefined),
    ...writeSampling(request, traits, thinks, drop),
    stopSequences: stops.length === 0 ? undefined : stops,
  });
  const body = withoutMissing({
    ...writeConversation(request.messages, traits, drop),
    inferenceConfig: isEmpty(inference) ? undefined : inference,
    toolConfig: writeTools(request, traits, drop),
    outputConfig: writeOutput(request, traits, drop),
    additionalModelRequestFields: isEmpty(more) ? undefined : more,
    additionalModelResponseFieldPaths:
      traits.isClaude && stops.length > 0 ? ["/stop_sequence", "/delta/stop_sequence"] : undefined,
  });
  return { body, dropped: [...dropped] };
}

function isEmpty(fields: JsonRecord): boolean {
  return Object.keys(fields).length === 0;
}

function noteUnknown({ options, singleToolCall, tools }: ChatRequest, drop: Drop): void {
  if (options.seed !== undefined) drop("seed");
  if ((options.frequencyPenalty ?? 0) !== 0) drop("frequency_penalty");
  if ((options.presencePenalty ?? 0) !== 0) drop("presence_penalty");
  if ((options.answers ?? 1) !== 1) drop("n");
  if (singleToolCall && tools.length > 0) drop("parallel_tool_calls");
  if (options.userId !== "") drop("user");
}

/** Nova has three efforts. Source: https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html */
const NOVA_EFFORTS: Readonly<Record<Exclude<ReasoningEffort, "none">, string>> = {
  minimal: "low",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "high",
  max: "high",
};

function writeThinking(request: ChatRequest, maxTokens: number, traits: ModelTraits, drop: Drop): JsonRecord {
  const { reasoning } = request.options;
  if (reasoning === undefined) return {};
  if (traits.reasoning === "claude") {
    const { thinking, effort } = writeReasoning(request, maxTokens, drop);
    return withoutMissing({ thinking, output_config: effort === undefined ? undefined : { effort } });
  }
  const { mode, effort = "medium" } = reasoning;
  const isOff = mode === "off" || effort === "none";
  if (traits.reasoning === "nova") {
    if (isOff) return { reasoningConfig: { type: "disabled" } };
    return { reasoningConfig: { type: "enabled", maxReasoningEffort: NOVA_EFFORTS[effort] } };
  }
  if (traits.reasoning === "effort" && !isOff) return { reasoning_effort: NOVA_EFFORTS[effort] };
  if (!isOff) drop("reasoning_effort");
  return {};
}

/** Bedrock has no common field for `top_k`. */
function writeTopK(
  { options }: ChatRequest,
  { isClaude, caches, refusesSampling }: ModelTraits,
  thinks: boolean,
  drop: Drop,
): JsonRecord {
  const { topK } = options;
  if (topK === undefined) return {};
  if (isClaude && !thinks && !refusesSampling) return { top_k: topK };
  // Only Nova has its own cache and this field.
  if (caches === "own") return { inferenceConfig: { topK } };
  drop("top_k");
  return {};
}

/** Both are at most 1. Claude accepts neither with thoughts, its newer models not both, and its newest none. */
function writeSampling({ options }: ChatRequest, traits: ModelTraits, thinks: boolean, drop: Drop): JsonRecord {
  const { temperature, topP } = options;
  if (traits.refusesSampling || (traits.isClaude && thinks)) {
    if (temperature !== undefined && temperature !== 1) drop("temperature");
    if (topP !== undefined && topP !== 1) drop("top_p");
    return {};
  }
  if (temperature !== undefined && temperature > 1) drop("temperature");
  const isSecond = traits.isClaude && temperature !== undefined && topP !== undefined;
  if (isSecond && topP !== 1) drop("top_p");
  return {
    temperature: temperature === undefined ? undefined : Math.min(1, temperature),
    topP: isSecond ? undefined : topP,
  };
}

/** A conversation with calls must declare tools, even without tools in the request; then `none` cannot be expressed. */
function writeTools(request: ChatRequest, traits: ModelTraits, drop: Drop): JsonRecord | undefined {
  const { toolChoice, messages } = request;
  const calls = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "tool-call" ? [part.name] : [])),
  );
  const declared = request.tools.flatMap((tool) => writeTool(tool, traits, drop));
  if (toolChoice?.type === "none" && calls.length === 0) return undefined;
  if (declared.length === 0) {
    const names = [...new Set(calls)];
    return names.length === 0 ? undefined : { tools: names.map((name) => toolSpec(name, {})) };
  }
  if (toolChoice?.type === "none") drop("tool_choice");
  const choice = writeToolChoice(request, traits, drop);
  return { tools: declared, ...(choice !== undefined && { toolChoice: choice }) };
}

function writeTool(tool: ChatTool, traits: ModelTraits, drop: Drop): readonly JsonRecord[] {
  if (tool.type === "native") {
    drop(`tools.${nativeName(tool.definition)}`);
    return [];
  }
  const { name, description, schema, strict, cache } = tool;
  const isStrict = strict === true && traits.acceptsSchemas;
  if (strict === true && !isStrict) drop("tools.strict");
  if (cache !== undefined && !traits.cachesTools) drop("cache_control");
  return [
    toolSpec(name, {
      ...(description !== "" && { description }),
      schema: isStrict ? claudeSchema(schema, "tools.strict", drop) : schema,
      ...(isStrict && { strict }),
    }),
    ...(traits.cachesTools ? writeCachePoint(cache, traits, drop) : []),
  ];
}

function toolSpec(name: string, { schema, ...more }: { readonly schema?: JsonRecord }): JsonRecord {
  return { toolSpec: { name, ...more, inputSchema: { json: { type: "object", ...schema } } } };
}

function writeToolChoice({ toolChoice }: ChatRequest, traits: ModelTraits, drop: Drop): JsonRecord | undefined {
  if (toolChoice === undefined || toolChoice.type === "none") return undefined;
  if (toolChoice.type === "auto") return { auto: {} };
  if (!traits.obeysToolChoice) {
    drop("tool_choice");
    return undefined;
  }
  return toolChoice.type === "function" ? { tool: { name: toolChoice.name } } : { any: {} };
}

function writeOutput({ options }: ChatRequest, traits: ModelTraits, drop: Drop): JsonRecord | undefined {
  const { answerFormat } = options;
  if (answerFormat === undefined) return undefined;
  if (answerFormat.type === "json" || !traits.acceptsSchemas) {
    drop("response_format");
    return undefined;
  }
  const { name, description, schema } = answerFormat;
  const jsonSchema = {
    schema: JSON.stringify(claudeSchema(schema, "response_format", drop)),
    ...(name !== "" && { name }),
    ...(description !== "" && { description }),
  };
  return { textFormat: { type: "json_schema", structure: { jsonSchema } } };
}
