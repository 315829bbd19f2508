import type { WrittenRequest } from "../../format-sides.ts";
import {
  type AnswerFormat,
  type ChatMessage,
  type ChatRequest,
  type ChatTool,
  type Drop,
  hasCacheMark,
  type ReasoningOptions,
  UntranslatableError,
} from "../../neutral/chat-request.ts";
import type { ImagePart, MessagePart, ToolResultPart } from "../../neutral/message-part.ts";
import { orderTurns } from "../../neutral/order-turns.ts";
import { LOGPROBS_FIELDS } from "../../neutral/logprobs.ts";
import { parseObject } from "../../shared/exact-numbers.ts";
import { type JsonRecord, numberOf, withoutMissing } from "../../shared/json-fields.ts";

import { readOwnOptions } from "./own-options.ts";

/** Writes a chat for Ollama. Source: https://docs.ollama.com/api/chat */
export function writeRequest(request: ChatRequest): WrittenRequest {
  const dropped = new Set<string>();
  const drop: Drop = (name) => void dropped.add(name);
  const { options } = request;
  const said = options.logprobs === undefined ? undefined : LOGPROBS_FIELDS;
  const own = readOwnOptions(request.foreign, drop, said);
  if (options.answers !== undefined && options.answers > 1) drop("n");
  if (options.userId !== "") drop("user");
  if (request.toolChoice !== undefined && request.toolChoice.type !== "auto") drop("tool_choice");
  if (request.singleToolCall) drop("parallel_tool_calls");
  if (hasCacheMark(request)) drop("cache_control");
  const tools = request.toolChoice?.type === "none" ? [] : request.tools.flatMap((tool) => writeTool(tool, drop));
  const body = withoutMissing({
    model: request.model,
    messages: writeMessages(request.messages, drop),
    tools: tools.length === 0 ? undefined : tools,
    format: writeAnswerFormat(options.answerFormat),
    think: writeThink(options.reasoning),
    options: writeOptions(request, own),
    logprobs: options.logprobs === undefined ? undefined : true,
    top_logprobs: options.logprobs || undefined,
    // Ollama streams by default.
    stream: request.stream,
  });
  return { body, dropped: [...dropped] };
}

/** The request's own options take precedence over Ollama's `options`; the lower of two limits counts. */
function writeOptions({ options }: ChatRequest, own: JsonRecord): JsonRecord | undefined {
  const said = withoutMissing({
    num_predict: leastOf(options.maxTokens, numberOf(own.num_predict)),
    temperature: options.temperature,
    top_p: options.topP,
    top_k: options.topK,
    seed: options.seed,
    frequency_penalty: options.frequencyPenalty,
    presence_penalty: options.presencePenalty,
    stop: options.stop.length === 0 ? undefined : options.stop,
  });
  const fields = { ...own, ...said };
  return Object.keys(fields).length === 0 ? undefined : fields;
}

function leastOf(...limits: readonly (number | undefined)[]): number | undefined {
  const set = limits.filter((limit) => limit !== undefined);
  return set.length === 0 ? undefined : Math.min(...set);
}

function writeAnswerFormat(format: AnswerFormat | undefined): unknown {
  if (format === undefined) return undefined;
  return format.type === "json" ? "json" : format.schema;
}

/** Returns a level where the request names one and the model has levels, else a flag. */
function writeThink(reasoning: ReasoningOptions | undefined): boolean | string | undefined {
  if (reasoning === undefined) return undefined;
  const { mode, effort } = reasoning;
  if (mode === "off" || effort === "none") return false;
  if (effort === "low" || effort === "medium" || effort === "high") return effort;
  return true;
}

function writeTool(tool: ChatTool, drop: Drop): readonly JsonRecord[] {
  if (tool.type === "native") {
    drop(`tools.${String(tool.definition.name ?? tool.definition.type)}`);
    return [];
  }
  const { name, description, schema } = tool;
  return [{ type: "function", function: { name, description, parameters: schema } }];
}

function writeMessages(messages: readonly ChatMessage[], drop: Drop): readonly JsonRecord[] {
  if (messages.some(({ name }) => name !== "")) drop("messages.name");
  const calls = messages.flatMap(({ parts }) => parts).filter((part) => part.type === "tool-call");
  const names = new Map(calls.map(({ id, name }) => [id, name]));
  return orderTurns(messages).flatMap(({ role, parts }) => {
    if (role === "assistant") return writeAssistant(parts, drop);
    const results = parts.filter((part) => part.type === "tool-result");
    const shown = results.flatMap(({ content }) => content.filter((part) => part.type !== "text"));
    const said = [...shown, ...parts.filter((part) => part.type !== "tool-result")];
    return [
      ...results.map((result) => writeResult(result, names, drop)),
      ...(said.length > 0 ? [{ role, ...writeContent(said, drop) }] : []),
    ];
  });
}

function writeResult(
  { callId, content, isError }: ToolResultPart,
  names: ReadonlyMap<string, string>,
  drop: Drop,
): JsonRecord {
  if (isError) drop("messages.tool_result.is_error");
  const name = names.get(callId);
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return { role: "tool", content: texts.join("\n"), ...(name !== undefined && { tool_name: name }) };
}

function writeContent(parts: readonly MessagePart[], drop: Drop): JsonRecord {
  const images = parts.flatMap((part) => (part.type === "image" ? [writeImage(part)] : []));
  for (const part of parts) if (part.type !== "text" && part.type !== "image") drop(`messages.${part.type}`);
  return { content: textsOf(parts), ...(images.length > 0 && { images }) };
}

function textsOf(parts: readonly MessagePart[]): string {
  return parts.flatMap((part) => (part.type === "text" || part.type === "refusal" ? [part.text] : [])).join("\n\n");
}

function writeImage({ source }: ImagePart): string {
  if (source.type === "base64") return source.data;
  // Ollama fetches none: the call does, see `withPictures`.
  if (source.type === "url" && /^https?:/i.test(source.url)) return source.url;
  throw new UntranslatableError(
    "messages",
    "Pictures must be in the request as data URLs: the provider of this model fetches none.",
  );
}

/** An empty message is dropped. */
function writeAssistant(parts: readonly MessagePart[], drop: Drop): readonly JsonRecord[] {
  const thinking = parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])).join("");
  const calls = parts.flatMap((part) => {
    if (part.type !== "tool-call") return [];
    return [{ function: { name: part.name, arguments: parseObject(part.input) ?? {} } }];
  });
  for (const part of parts)
    if (part.type === "image" || part.type === "audio" || part.type === "file") drop(`messages.${part.type}`);
  const content = textsOf(parts);
  if (content === "" && calls.length === 0) return [];
  return [
    {
      role: "assistant",
      content,
      ...(thinking !== "" && { thinking }),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ];
}
