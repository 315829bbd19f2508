import type { WrittenRequest } from "../../format-sides.ts";
import {
  type ChatOptions,
  type ChatRequest,
  type ChatTool,
  type Drop,
  hasCacheMark,
  takeForeignFields,
  nativeName,
} from "../../neutral/chat-request.ts";
import { maxOutputTokens } from "../../model-facts/max-output-tokens.ts";
import { takeTurns } from "../../neutral/take-turns.ts";
import { flagOf, type JsonRecord } from "../../shared/json-fields.ts";
import { writeMessages } from "./write-messages.ts";

const MAX_STOPS = 4;
const MAX_STOP_LENGTH = 20;
const LEAST_TOKENS = 2;
const MOST_TOKENS = 2_048;
const LEAST_TEMPERATURE = 0.01;
const MOST_TEMPERATURE = 1;
/** Fields that only Baidu accepts, beside OpenAI's. */
const OWN_FIELDS = ["disable_search", "enable_citation"] as const;

/** Writes a chat; the model is in the path. Source: https://cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t */
export function writeRequest(request: ChatRequest): WrittenRequest {
  const dropped = new Set<string>();
  const drop: Drop = (name) => void dropped.add(name);
  const { messages, options, foreign } = request;
  const own = OWN_FIELDS.filter((name) => flagOf(foreign.fields[name]) !== undefined);
  const others = Object.entries(foreign.fields).filter(([name]) => !own.some((known) => known === name));
  takeForeignFields({ ...foreign, fields: Object.fromEntries(others) }, "baidu-chat", drop);
  noteUnknown(request, drop);
  const { system, turns } = takeTurns(messages, drop);
  const fields: JsonRecord = {
    messages: writeMessages(turns, drop),
    system: system === "" ? undefined : system,
    ...writeTools(request, drop),
    ...writeSampling(options, drop),
    max_output_tokens: writeLimit(request),
    stop: writeStops(options.stop, drop),
    response_format: options.answerFormat === undefined ? undefined : "json_object",
    user_id: options.userId === "" ? undefined : options.userId,
    ...Object.fromEntries(own.map((name) => [name, foreign.fields[name]])),
    stream: request.stream,
  };
  const body = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return { body, dropped: [...dropped] };
}

/** Baidu refuses a limit above the model's own. */
function writeLimit({ model, options: { maxTokens } }: ChatRequest): number | undefined {
  if (maxTokens === undefined) return undefined;
  return Math.min(Math.max(LEAST_TOKENS, maxTokens), maxOutputTokens(model) ?? MOST_TOKENS);
}

function noteUnknown(request: ChatRequest, drop: Drop): void {
  const { options } = request;
  if (options.answers !== undefined && options.answers > 1) drop("n");
  if (options.seed !== undefined) drop("seed");
  if (options.topK !== undefined) drop("top_k");
  if (options.presencePenalty !== undefined && options.presencePenalty !== 0) drop("presence_penalty");
  if (options.reasoning !== undefined && options.reasoning.mode !== "off") drop("reasoning");
  if (options.answerFormat?.type === "json-schema") drop("response_format.json_schema");
  if (hasCacheMark(request)) drop("cache_control");
}

/** Baidu can force one named tool, but not one of several. */
function writeTools({ tools, toolChoice }: ChatRequest, drop: Drop): JsonRecord {
  const functions = tools.flatMap((tool) => (tool.type === "function" ? [tool] : []));
  for (const tool of tools) if (tool.type === "native") drop(`tools.${nativeName(tool.definition)}`);
  if (functions.some(({ strict }) => strict === true)) drop("tools.strict");
  if (functions.length === 0 || toolChoice?.type === "none") return {};
  const [only, ...more] = functions;
  const named = toolChoice?.type === "function" ? toolChoice.name : undefined;
  const forced = named ?? (toolChoice?.type === "required" && more.length === 0 ? only?.name : undefined);
  if (toolChoice?.type === "required" && forced === undefined) drop("tool_choice");
  return {
    functions: functions.map(writeTool),
    ...(forced !== undefined && { tool_choice: { type: "function", function: { name: forced } } }),
  };
}

/** Baidu requires a description for every function, and an object for the parameters. */
function writeTool({ name, description, schema }: Extract<ChatTool, { type: "function" }>): JsonRecord {
  const parameters = Object.keys(schema).length === 0 ? { type: "object", properties: {} } : schema;
  return { name, description: description || name, parameters };
}

function writeStops(stops: readonly string[], drop: Drop): readonly string[] | undefined {
  const kept = stops.filter(({ length }) => length <= MAX_STOP_LENGTH).slice(0, MAX_STOPS);
  if (kept.length < stops.length) drop("stop");
  return kept.length === 0 ? undefined : kept;
}

/** Temperatures are above 0 and at most 1. The repetition penalty is a factor from 1 to 2; OpenAI's is a term from 0 to 2. */
function writeSampling({ temperature, topP, frequencyPenalty }: ChatOptions, drop: Drop): JsonRecord {
  if (temperature !== undefined && temperature > MOST_TEMPERATURE) drop("temperature");
  const penalty = frequencyPenalty === undefined || frequencyPenalty === 0 ? undefined : frequencyPenalty;
  if (penalty !== undefined && penalty < 0) drop("frequency_penalty");
  return {
    temperature:
      temperature === undefined ? undefined : Math.min(Math.max(temperature, LEAST_TEMPERATURE), MOST_TEMPERATURE),
    top_p: topP,
    penalty_score: penalty === undefined || penalty < 0 ? undefined : 1 + penalty / 2,
  };
}
