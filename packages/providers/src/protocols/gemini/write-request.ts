import type { WrittenRequest } from "../../format-sides.ts";
import {
  type AnswerFormat,
  type ChatRequest,
  type ChatTool,
  type Drop,
  hasCacheMark,
  takeForeignFields,
  nativeName,
  WRITES_THOUGHTS_SHOWN,
  type ToolChoice,
} from "../../neutral/chat-request.ts";
import { LOGPROBS_FIELDS } from "../../neutral/logprobs.ts";
import type { JsonRecord } from "../../shared/json-fields.ts";
import { writeConversation } from "./write-contents.ts";
import { writeThinking } from "./thoughts/write-reasoning.ts";

const MAX_STOPS = 5;
const OPTION_PREFIX = "generationConfig.";
const SAYS_ALL: ReadonlySet<string> = new Set([...LOGPROBS_FIELDS, ...WRITES_THOUGHTS_SHOWN]);

/** The URL holds the model and the streaming flag. Source: https://ai.google.dev/api/generate-content */
export function writeRequest(request: ChatRequest): WrittenRequest {
  const dropped = new Set<string>();
  const drop: Drop = (name) => void dropped.add(name);
  const said = request.options.logprobs === undefined ? WRITES_THOUGHTS_SHOWN : SAYS_ALL;
  const foreign = Object.entries(takeForeignFields(request.foreign, "gemini-content", drop, said));
  const ownOptions = foreign.flatMap(([name, value]) =>
    name.startsWith(OPTION_PREFIX) ? [[name.slice(OPTION_PREFIX.length), value] as const] : [],
  );
  const config = defined({ ...Object.fromEntries(ownOptions), ...writeOptions(request, drop) });
  const tools = writeTools(request.tools, drop);
  const choice = tools.length === 0 ? undefined : writeToolChoice(request.toolChoice);
  noteUnknown(request, drop);
  const body = defined({
    ...Object.fromEntries(foreign.filter(([name]) => !name.startsWith(OPTION_PREFIX))),
    ...writeConversation(request.messages, { model: request.model, drop }),
    tools: tools.length === 0 ? undefined : tools,
    toolConfig: choice === undefined ? undefined : { functionCallingConfig: choice },
    generationConfig: Object.keys(config).length === 0 ? undefined : config,
  });
  return { body, dropped: [...dropped] };
}

function defined(fields: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function writeOptions({ model, options }: ChatRequest, drop: Drop): JsonRecord {
  if (options.stop.length > MAX_STOPS) drop("stop");
  return {
    maxOutputTokens: options.maxTokens,
    temperature: options.temperature,
    topP: options.topP,
    topK: options.topK,
    seed: options.seed,
    frequencyPenalty: options.frequencyPenalty,
    presencePenalty: options.presencePenalty,
    candidateCount: options.answers === 1 ? undefined : options.answers,
    stopSequences: options.stop.length === 0 ? undefined : options.stop.slice(0, MAX_STOPS),
    ...(options.logprobs !== undefined && { responseLogprobs: true, logprobs: options.logprobs || undefined }),
    ...writeAnswerFormat(options.answerFormat),
    thinkingConfig: writeThinking(model, options.reasoning, drop),
  };
}

function noteUnknown(request: ChatRequest, drop: Drop): void {
  const { options, singleToolCall } = request;
  if (singleToolCall) drop("parallel_tool_calls");
  if (options.userId !== "") drop("user");
  if (hasCacheMark(request)) drop("cache_control");
}

function writeAnswerFormat(format: AnswerFormat | undefined): JsonRecord {
  if (format === undefined) return {};
  const responseMimeType = "application/json";
  return format.type === "json" ? { responseMimeType } : { responseMimeType, responseJsonSchema: format.schema };
}

function writeTools(tools: readonly ChatTool[], drop: Drop): readonly JsonRecord[] {
  const functions = tools.flatMap((tool) => {
    if (tool.type !== "function") return [];
    const { name, description, schema, strict } = tool;
    if (strict === true) drop("tools.strict");
    const hasParameters = Object.keys(schema).length > 0;
    return [{ name, description: description || name, ...(hasParameters && { parametersJsonSchema: schema }) }];
  });
  const own = tools.flatMap((tool) => {
    if (tool.type === "function") return [];
    if (tool.format === "gemini-content") return [tool.definition];
    drop(`tools.${nativeName(tool.definition)}`);
    return [];
  });
  return [...(functions.length > 0 ? [{ functionDeclarations: functions }] : []), ...own];
}

function writeToolChoice(choice: ToolChoice | undefined): JsonRecord | undefined {
  switch (choice?.type) {
    case undefined:
      return undefined;
    case "function":
      return { mode: "ANY", allowedFunctionNames: [choice.name] };
    case "required":
      return { mode: "ANY" };
    case "none":
      return { mode: "NONE" };
    case "auto":
      return { mode: "AUTO" };
  }
}
