import type { WrittenRequest } from "../../format-sides.ts";
import { type ChatOptions, type ChatRequest, type Drop, takeForeignFields } from "../../neutral/chat-request.ts";
import { takeTurns } from "../../neutral/take-turns.ts";
import { isRecord, type JsonRecord, listOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { OPENAI } from "../../protocols/openai-chat/openai-chat-variant.ts";
import { writeRequest as writeOpenAi } from "../../protocols/openai-chat/write-request.ts";
import { toTencentNames } from "./names.ts";

const MAX_SEED = 10_000;
/** Fields that only Tencent accepts, beside OpenAI's, with Tencent's names. */
const OWN_FIELDS = {
  enable_enhancement: "EnableEnhancement",
  force_search_enhancement: "ForceSearchEnhancement",
  enable_speed_search: "EnableSpeedSearch",
  search_info: "SearchInfo",
  citation: "Citation",
} as const;

/** Writes a chat in OpenAI's format with Tencent's names. Source: https://cloud.tencent.com/document/api/1729/105701 */
export function writeRequest(request: ChatRequest): WrittenRequest {
  const dropped = new Set<string>();
  const drop: Drop = (name) => void dropped.add(name);
  const own = ownFields(request, drop);
  noteUnknown(request.options, drop);
  const { system, turns } = takeTurns(request.messages, drop);
  const opening = system === "" ? [] : [{ role: "system", name: "", parts: [{ type: "text", text: system }] } as const];
  const asked = { ...request, messages: [...opening, ...turns], options: expressible(request.options), foreign: NONE };
  const { body, dropped: unsupported } = writeOpenAi(asked, { ...OPENAI, reasoning: "none", streamUsage: "always" });
  for (const name of unsupported) drop(name);
  const { messages, tools, tool_choice: choice, parallel_tool_calls: parallel, model, temperature, top_p } = body;
  if (parallel !== undefined) drop("parallel_tool_calls");
  const fields: JsonRecord = {
    Model: model,
    Messages: listOf(messages).map(recordOf).map(writeMessage),
    ...writeTools(listOf(tools).filter(isRecord), choice, drop),
    Temperature: temperature,
    TopP: top_p,
    Seed: body.seed,
    Stop: body.stop,
    EnableThinking: request.options.reasoning?.mode === "off" ? false : undefined,
    ...own,
    Stream: request.stream,
  };
  return {
    body: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
    dropped: [...dropped],
  };
}

const NONE = { format: "openai-chat", fields: {}, indispensable: [], lost: [] } as const;

function ownFields({ foreign }: ChatRequest, drop: Drop): JsonRecord {
  const names = Object.entries(OWN_FIELDS).filter(([name]) => typeof foreign.fields[name] === "boolean");
  const others = Object.entries(foreign.fields).filter(([name]) => !names.some(([known]) => known === name));
  takeForeignFields({ ...foreign, fields: Object.fromEntries(others) }, "hunyuan-chat", drop);
  return Object.fromEntries(names.map(([ours, theirs]) => [theirs, foreign.fields[ours]]));
}

/** The API has no limit for the length of an answer either. */
function noteUnknown(options: ChatOptions, drop: Drop): void {
  if (options.maxTokens !== undefined) drop("max_tokens");
  if (options.answers !== undefined && options.answers > 1) drop("n");
  if (options.frequencyPenalty !== undefined && options.frequencyPenalty !== 0) drop("frequency_penalty");
  if (options.presencePenalty !== undefined && options.presencePenalty !== 0) drop("presence_penalty");
  if (options.answerFormat !== undefined) drop("response_format");
  if (options.userId !== "") drop("user");
  if (options.seed !== undefined && !isSeed(options.seed)) drop("seed");
}

function isSeed(seed: number): boolean {
  return Number.isInteger(seed) && seed > 0 && seed <= MAX_SEED;
}

function expressible(options: ChatOptions): ChatOptions {
  return {
    ...options,
    maxTokens: undefined,
    answers: undefined,
    frequencyPenalty: undefined,
    presencePenalty: undefined,
    answerFormat: undefined,
    userId: "",
    seed: options.seed !== undefined && isSeed(options.seed) ? options.seed : undefined,
  };
}

/** Content in several items has a field of its own. */
function writeMessage({ content, ...message }: JsonRecord): JsonRecord {
  const said = Array.isArray(content) ? { contents: content } : { content: textOf(content) };
  return toTencentNames({ ...message, ...said });
}

/** Parameters are a text; a forced tool is in a field beside the choice. */
function writeTools(tools: readonly JsonRecord[], choice: unknown, drop: Drop): JsonRecord {
  if (tools.length === 0) return {};
  const written = tools.map((tool) => {
    const { name, description, parameters, strict } = recordOf(tool.function);
    if (strict === true) drop("tools.strict");
    return {
      Type: "function",
      Function: {
        Name: name,
        Parameters: JSON.stringify(parameters),
        ...(description !== undefined && { Description: description }),
      },
    };
  });
  const named = textOf(recordOf(recordOf(choice).function).name);
  const forced =
    written.find(({ Function: { Name } }) => Name === named) ?? (written.length === 1 ? written[0] : undefined);
  const mustCall = choice === "required" || named !== "";
  if (mustCall && forced === undefined) drop("tool_choice");
  return {
    Tools: written,
    ...(mustCall && forced !== undefined && { ToolChoice: "custom", CustomTool: forced }),
    ...(choice === "none" && { ToolChoice: "none" }),
  };
}
