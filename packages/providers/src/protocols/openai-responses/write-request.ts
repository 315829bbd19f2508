import type { WrittenRequest } from "../../format-sides.ts";
import {
  effortOfBudget,
  type AnswerFormat,
  type ChatMessage,
  type ChatRequest,
  type ChatTool,
  type Drop,
  hasCacheMark,
  takeForeignFields,
  nativeName,
  type ReasoningOptions,
  WRITES_THOUGHTS_SHOWN,
  type ToolChoice,
} from "../../neutral/chat-request.ts";
import { isTextType, type MediaSource, type MessagePart, type ToolResultPart } from "../../neutral/message-part.ts";
import { signatureOf } from "../../neutral/signature.ts";
import { LOGPROBS_FIELDS } from "../../neutral/logprobs.ts";
import type { JsonRecord } from "../../shared/json-fields.ts";
import { ENCRYPTED } from "./answer.ts";
import { writeStrict } from "../openai/strict-schema.ts";
import { LOGPROBS } from "./read-request.ts";

const SAYS_ALL: ReadonlySet<string> = new Set([...LOGPROBS_FIELDS, ...WRITES_THOUGHTS_SHOWN]);

/** Requests that nothing is stored. Source: https://platform.openai.com/docs/api-reference/responses/create */
export function writeRequest(request: ChatRequest): WrittenRequest {
  const dropped = new Set<string>();
  const drop: Drop = (name) => void dropped.add(name);
  const { options } = request;
  const { "text.verbosity": verbosity, ...foreign } = takeForeignFields(
    request.foreign,
    "openai-responses",
    drop,
    options.logprobs === undefined ? WRITES_THOUGHTS_SHOWN : SAYS_ALL,
  );
  const tools = request.tools.flatMap((tool) => writeTool(tool, drop));
  const text = { ...writeAnswerFormat(options.answerFormat, drop), ...(verbosity !== undefined && { verbosity }) };
  const fields: JsonRecord = {
    ...foreign,
    model: request.model,
    input: request.messages.flatMap((message) => writeItems(message, drop)),
    tools: tools.length === 0 ? undefined : tools,
    tool_choice: tools.length === 0 ? undefined : writeToolChoice(request.toolChoice),
    parallel_tool_calls: request.singleToolCall && tools.length > 0 ? false : undefined,
    max_output_tokens: options.maxTokens,
    temperature: options.temperature,
    top_p: options.topP,
    text: Object.keys(text).length === 0 ? undefined : text,
    reasoning: writeReasoning(options.reasoning),
    include: [ENCRYPTED, ...(options.logprobs === undefined ? [] : [LOGPROBS])],
    ...(options.logprobs !== undefined && options.logprobs > 0 && { top_logprobs: options.logprobs }),
    store: false,
    safety_identifier: options.userId === "" ? undefined : options.userId,
    stream: request.stream ? true : undefined,
  };
  noteUnknown(request, drop);
  const body = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return { body, dropped: [...dropped] };
}

function noteUnknown(request: ChatRequest, drop: Drop): void {
  const { options, messages } = request;
  if (messages.some(({ name }) => name !== "")) drop("messages.name");
  if (options.topK !== undefined) drop("top_k");
  if (options.seed !== undefined) drop("seed");
  if ((options.frequencyPenalty ?? 0) !== 0) drop("frequency_penalty");
  if ((options.presencePenalty ?? 0) !== 0) drop("presence_penalty");
  if ((options.answers ?? 1) !== 1) drop("n");
  if (options.stop.length > 0) drop("stop");
  if (hasCacheMark(request)) drop("cache_control");
}

function writeItems({ role, parts }: ChatMessage, drop: Drop): readonly JsonRecord[] {
  if (role !== "assistant") {
    const results = parts.filter((part) => part.type === "tool-result");
    const content = parts.flatMap((part) => writePart(part, drop));
    return [
      ...results.map((result) => writeResult(result, drop)),
      ...(content.length === 0 ? [] : [{ type: "message", role, content }]),
    ];
  }
  return parts.flatMap((part): readonly JsonRecord[] => {
    switch (part.type) {
      case "text":
        return part.text === "" ? [] : [shownText({ type: "output_text", text: part.text, annotations: [] })];
      case "refusal":
        return [shownText({ type: "refusal", refusal: part.text })];
      case "tool-call":
        return [{ type: "function_call", call_id: part.id, name: part.name, arguments: part.input || "{}" }];
      case "reasoning":
        return writeThought(part.text, signatureOf("openai", part.signature), drop);
      case "hidden-reasoning":
        return writeThought("", signatureOf("openai", part.data), drop);
      case "native":
        if (part.format === "openai-responses") return [part.value];
        drop(`messages.${nativeName(part.value)}`);
        return [];
      case "image":
      case "file":
      case "audio":
        // Assistant messages cannot hold media.
        drop(`messages.${part.type}`);
        return [];
      case "tool-result":
        return [];
    }
  });
}

function shownText(part: JsonRecord): JsonRecord {
  return { type: "message", role: "assistant", content: [part] };
}

/** OpenAI refuses thoughts that it has not encrypted itself. */
function writeThought(text: string, encrypted: string | undefined, drop: Drop): readonly JsonRecord[] {
  if (encrypted === undefined || encrypted === "") {
    if (text !== "") drop("messages.reasoning");
    return [];
  }
  const summary = text === "" ? [] : [{ type: "summary_text", text }];
  return [{ type: "reasoning", summary, encrypted_content: encrypted }];
}

function writeResult(result: ToolResultPart, drop: Drop): JsonRecord {
  if (result.isError) drop("messages.tool_result.is_error");
  const isPlain = result.content.every((part) => part.type === "text");
  const output = isPlain
    ? result.content.map((part) => (part.type === "text" ? part.text : "")).join("\n\n")
    : result.content.flatMap((part) => writePart(part, drop));
  return { type: "function_call_output", call_id: result.callId, output };
}

function writePart(part: MessagePart, drop: Drop): readonly JsonRecord[] {
  switch (part.type) {
    case "text":
      return [{ type: "input_text", text: part.text }];
    case "image":
      return [
        { type: "input_image", detail: part.detail ?? "auto", ...sourceOf(part.source, "image_url", "image_url") },
      ];
    case "file": {
      const { source } = part;
      if (source.type === "base64" && isTextType(source.mediaType)) {
        return [{ type: "input_text", text: Buffer.from(source.data, "base64").toString() }];
      }
      const filename = source.type === "base64" ? { filename: part.name || "document.pdf" } : {};
      return [{ type: "input_file", ...filename, ...sourceOf(source, "file_data", "file_url") }];
    }
    case "audio":
      return [{ type: "input_audio", input_audio: { data: part.data, format: part.encoding } }];
    case "native":
      if (part.format === "openai-responses") return [part.value];
      drop(`messages.${nativeName(part.value)}`);
      return [];
    default:
      return [];
  }
}

function sourceOf(source: MediaSource, dataField: string, urlField: string): JsonRecord {
  switch (source.type) {
    case "base64":
      return { [dataField]: `data:${source.mediaType};base64,${source.data}` };
    case "url":
      return { [urlField]: source.url };
    case "stored":
      return { file_id: source.id };
  }
}

function writeTool(tool: ChatTool, drop: Drop): readonly JsonRecord[] {
  if (tool.type === "native") {
    if (tool.format === "openai-responses") return [tool.definition];
    drop(`tools.${nativeName(tool.definition)}`);
    return [];
  }
  const { name, description, schema, strict } = tool;
  const told = description === "" ? {} : { description };
  // OpenAI's default for `strict` is true.
  return [
    {
      type: "function",
      name,
      ...told,
      parameters: schema,
      strict: writeStrict(strict ?? false, schema, "tools.strict", drop),
    },
  ];
}

function writeToolChoice(choice: ToolChoice | undefined): unknown {
  if (choice === undefined) return undefined;
  return choice.type === "function" ? { type: "function", name: choice.name } : choice.type;
}

function writeAnswerFormat(format: AnswerFormat | undefined, drop: Drop): JsonRecord {
  if (format === undefined) return {};
  if (format.type === "json") return { format: { type: "json_object" } };
  const { name, description, schema, strict } = format;
  const told = description === "" ? {} : { description };
  return {
    format: {
      type: "json_schema",
      name: name || "answer",
      ...told,
      schema,
      strict: writeStrict(strict ?? false, schema, "response_format.strict", drop),
    },
  };
}

function writeReasoning(reasoning: ReasoningOptions | undefined): JsonRecord | undefined {
  if (reasoning === undefined) return undefined;
  const { mode, effort, budgetTokens, display } = reasoning;
  if (mode === "off") return { effort: "none" };
  const ofBudget = budgetTokens === undefined ? undefined : effortOfBudget(budgetTokens);
  const requested = effort === "max" ? "xhigh" : (effort ?? ofBudget);
  return { ...(requested !== undefined && { effort: requested }), ...(display !== "omitted" && { summary: "auto" }) };
}
