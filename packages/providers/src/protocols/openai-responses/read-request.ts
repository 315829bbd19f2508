import {
  type AnswerFormat,
  type ChatRequest,
  nativeName,
  onlyAllowed,
  REASONING_EFFORTS,
  type ReasoningOptions,
  type ToolChoice,
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
import { lostOfResults, readItems } from "./read-items.ts";
import { flatName, readTools } from "./read-tools.ts";
import { REQUEST } from "./request-shape.ts";

/** Fields that are read here or have no effect without storage; others are foreign. */
const KNOWN = new Set([
  "model",
  "input",
  "instructions",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "max_output_tokens",
  "temperature",
  "top_p",
  "text",
  "reasoning",
  "safety_identifier",
  "user",
  "stream",
  "stream_options",
  "background",
  "store",
  "include",
  "metadata",
  "prompt_cache_key",
]);

export const LOGPROBS = "message.output_text.logprobs";

/** Throws UntranslatableError. Source: https://platform.openai.com/docs/api-reference/responses/create */
export function readRequest(body: JsonRecord): ChatRequest {
  const { input, instructions, text } = body;
  checkFields(body, REQUEST);
  const items = typeof input === "string" ? [{ role: "user", content: input }] : listOf(input);
  const system = textOf(instructions);
  const foreign = Object.entries(body).filter(
    ([name, value]) => !KNOWN.has(name) && value !== null && value !== undefined && value !== "disabled",
  );
  const { verbosity } = recordOf(text);
  const reasoning = recordOf(body.reasoning);
  const tools = readTools(body);
  const allowed = readAllowed(body.tool_choice);
  return {
    model: textOf(body.model),
    messages: [
      ...(system === "" ? [] : [{ role: "system", name: "", parts: [{ type: "text", text: system }] } as const]),
      ...readItems(items),
    ],
    tools: allowed === undefined ? tools : onlyAllowed(tools, allowed),
    toolChoice: readToolChoice(body.tool_choice),
    singleToolCall: body.parallel_tool_calls === false,
    options: {
      maxTokens: numberOf(body.max_output_tokens),
      temperature: numberOf(body.temperature),
      topP: numberOf(body.top_p),
      topK: undefined,
      seed: undefined,
      frequencyPenalty: undefined,
      presencePenalty: undefined,
      answers: undefined,
      stop: [],
      answerFormat: readAnswerFormat(recordOf(recordOf(text).format)),
      reasoning: readReasoning(reasoning),
      // `include` and this field are also dropped by formats that lack them.
      logprobs: wantsLogprobs(body) ? (numberOf(body.top_logprobs) ?? 0) : undefined,
      userId: textOf(body.safety_identifier) || textOf(body.user),
    },
    stream: body.stream === true,
    // Streams of this API always report usage.
    reportUsage: true,
    foreign: {
      format: "openai-responses",
      fields: Object.fromEntries([
        ...foreign,
        ...(verbosity === undefined ? [] : [["text.verbosity", verbosity] as const]),
      ]),
      indispensable: findIndispensable(body),
      lost: findLost(body),
    },
  };
}

function findLost(body: JsonRecord): readonly string[] {
  const lost: string[] = [];
  const { type } = recordOf(body.tool_choice);
  if (type !== undefined && readToolChoice(body.tool_choice) === undefined) lost.push("tool_choice");
  if (wantsLogprobs(body)) lost.push("include.logprobs");
  lost.push(
    ...unknownParts("reasoning", body.reasoning, REASONING_PARTS, USUAL),
    ...unknownParts("text", body.text, TEXT_PARTS, USUAL),
  );
  // Translated requests are never stored.
  if (body.store === true) lost.push("store");
  return [...lost, ...lostOfResults(listOf(body.input))];
}

const REASONING_PARTS: ReadonlySet<string> = new Set(["effort", "summary", "generate_summary"]);
const TEXT_PARTS: ReadonlySet<string> = new Set(["format", "verbosity"]);
const USUAL: ReadonlySet<unknown> = new Set([null, undefined, "auto", "standard"]);

function wantsLogprobs({ include }: JsonRecord): boolean {
  return listOf(include).includes(LOGPROBS);
}

/** Fields that no other format may drop: conversations that OpenAI has stored or summarized exist only there. */
export function findIndispensable(body: JsonRecord): readonly string[] {
  const kept = ["previous_response_id", "conversation", "prompt"].filter(
    (field) => (body[field] ?? undefined) !== undefined,
  );
  const items = listOf(body.input).map((item) => textOf(recordOf(item).type));
  return [...kept, ...["item_reference", "compaction"].filter((type) => items.includes(type))];
}

function readToolChoice(choice: unknown): ToolChoice | undefined {
  if (choice === "auto" || choice === "none" || choice === "required") return { type: choice };
  const { type, name, namespace, mode } = recordOf(choice);
  if (type === "function" || type === "custom") return { type: "function", name: flatName(namespace, name) };
  if (type !== "allowed_tools") return undefined;
  return { type: mode === "required" ? "required" : "auto" };
}

function readAllowed(choice: unknown): readonly string[] | undefined {
  const { type, tools } = recordOf(choice);
  if (type !== "allowed_tools") return undefined;
  return listOf(tools)
    .filter(isRecord)
    .map((tool) => (typeof tool.namespace === "string" ? flatName(tool.namespace, tool.name) : nativeName(tool)));
}

function readAnswerFormat(format: JsonRecord): AnswerFormat | undefined {
  if (format.type === "json_object") return { type: "json" };
  if (format.type !== "json_schema") return undefined;
  const { name, description, schema, strict } = format;
  return {
    type: "json-schema",
    name: textOf(name),
    description: textOf(description),
    schema: recordOf(schema),
    strict: flagOf(strict),
  };
}

function readReasoning(reasoning: JsonRecord): ReasoningOptions | undefined {
  const effort = REASONING_EFFORTS.find((known) => known === reasoning.effort);
  const wantsThoughts = (reasoning.summary ?? reasoning.generate_summary ?? undefined) !== undefined;
  if (effort === undefined && !wantsThoughts) return undefined;
  const mode = effort === "none" ? "off" : effort === undefined ? "adaptive" : undefined;
  return { mode, budgetTokens: undefined, effort, display: undefined };
}
