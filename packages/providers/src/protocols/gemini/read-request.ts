import {
  type AnswerFormat,
  type ChatMessage,
  type ChatRequest,
  type ChatTool,
  onlyAllowed,
  REASONING_EFFORTS,
  type ReasoningOptions,
  type ToolChoice,
  UntranslatableError,
} from "../../neutral/chat-request.ts";
import { checkFields } from "../../neutral/check-fields.ts";
import { isRecord, type JsonRecord, listOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { fieldOf, listField, numberField, recordField, snakeCase } from "./fields.ts";
import { CallIds, lostOfPart, readParts } from "./read-parts.ts";
import { readSchema } from "./read-schema.ts";
import { REQUEST } from "./request-shape.ts";

const KNOWN = ["model", "contents", "systemInstruction", "tools", "toolConfig", "generationConfig"];
const KNOWN_OPTIONS = [
  "maxOutputTokens",
  "temperature",
  "topP",
  "topK",
  "seed",
  "frequencyPenalty",
  "presencePenalty",
  "candidateCount",
  "stopSequences",
  "responseMimeType",
  "responseSchema",
  "responseJsonSchema",
  "thinkingConfig",
];

/** Reads a request of `generateContent`. Throws UntranslatableError. Source: https://ai.google.dev/api/generate-content */
export function readRequest(body: JsonRecord): ChatRequest {
  if (!Array.isArray(body.contents) && !isRecord(body.contents)) {
    throw new UntranslatableError("contents", "contents must be a list.");
  }
  checkFields(body, REQUEST);
  const config = recordField(body, "generationConfig");
  const calling = recordField(recordField(body, "toolConfig"), "functionCallingConfig");
  return {
    model: textOf(body.model),
    messages: readMessages(listField(body, "contents"), fieldOf(body, "systemInstruction")),
    tools: readAllowedTools(listField(body, "tools").filter(isRecord).flatMap(readTool), calling),
    toolChoice: readToolChoice(calling),
    singleToolCall: false,
    options: {
      maxTokens: numberField(config, "maxOutputTokens"),
      temperature: numberField(config, "temperature"),
      topP: numberField(config, "topP"),
      topK: numberField(config, "topK"),
      seed: numberField(config, "seed"),
      frequencyPenalty: numberField(config, "frequencyPenalty"),
      presencePenalty: numberField(config, "presencePenalty"),
      answers: numberField(config, "candidateCount"),
      stop: listOf(fieldOf(config, "stopSequences")).map(textOf).filter(Boolean),
      answerFormat: readAnswerFormat(config),
      reasoning: readReasoning(recordField(config, "thinkingConfig")),
      // These are foreign fields too, because most formats lack them.
      logprobs: fieldOf(config, "responseLogprobs") === true ? (numberField(config, "logprobs") ?? 0) : undefined,
      userId: "",
    },
    stream: body.stream === true,
    // Gemini's streams always report usage.
    reportUsage: true,
    foreign: {
      format: "gemini-content",
      fields: readForeign(body, config),
      indispensable: findIndispensable(body),
      lost: findLost(body),
    },
  };
}

/** Parts of the prompt that only Google has stored. */
export function findIndispensable(body: JsonRecord): readonly string[] {
  return fieldOf(body, "cachedContent") === undefined ? [] : ["cachedContent"];
}

function findLost(body: JsonRecord): readonly string[] {
  const ofConfig = Object.keys(recordField(body, "toolConfig")).filter(
    (name) => name !== "functionCallingConfig" && name !== "function_calling_config",
  );
  const parts = listField(body, "contents").flatMap((content) => listField(recordOf(content), "parts"));
  const form = textOf(fieldOf(recordField(body, "generationConfig"), "responseMimeType"));
  const isUnknown = form !== "" && form !== "text/plain" && form !== "application/json";
  return [
    ...(isUnknown ? ["generationConfig.responseMimeType"] : []),
    ...ofConfig.map((name) => `toolConfig.${name}`),
    ...parts.flatMap((part) => lostOfPart(recordOf(part))),
  ];
}

function readForeign(body: JsonRecord, config: JsonRecord): JsonRecord {
  const isForeign = (known: readonly string[]) => {
    const names = new Set(known.flatMap((name) => [name, snakeCase(name)]));
    return ([name, value]: [string, unknown]) => !names.has(name) && value !== null && value !== undefined;
  };
  const fields = Object.entries(body).filter(isForeign([...KNOWN, "stream"]));
  const options = Object.entries(config).filter(isForeign(KNOWN_OPTIONS));
  return Object.fromEntries([
    ...fields,
    ...options.map(([name, value]) => [`generationConfig.${name}`, value] as const),
  ]);
}

function readMessages(contents: readonly unknown[], system: unknown): readonly ChatMessage[] {
  const ids = new CallIds();
  const messages = contents.map((value, index): ChatMessage => {
    const content = recordOf(value);
    const role = textOf(content.role) || "user";
    if (role !== "user" && role !== "model" && role !== "function" && role !== "tool") {
      const field = `contents.${index}.role`;
      throw new UntranslatableError(field, `${field} must be user or model.`);
    }
    return { role: role === "model" ? "assistant" : "user", name: "", parts: readParts(content, ids) };
  });
  const instruction = typeof system === "string" ? { parts: [{ text: system }] } : recordOf(system);
  const parts = readParts(instruction, ids);
  return parts.length === 0 ? messages : [{ role: "system", name: "", parts }, ...messages];
}

function readTool(tool: JsonRecord): readonly ChatTool[] {
  const declarations = listField(tool, "functionDeclarations").filter(isRecord);
  const others = Object.entries(tool).filter(
    ([name, value]) => !["functionDeclarations", "function_declarations"].includes(name) && isRecord(value),
  );
  return [
    ...declarations.map((declaration): ChatTool => {
      const schema = fieldOf(declaration, "parametersJsonSchema");
      return {
        type: "function",
        name: textOf(declaration.name),
        description: textOf(declaration.description),
        schema: isRecord(schema) ? schema : readSchema(declaration.parameters),
        strict: undefined,
        cache: undefined,
      };
    }),
    ...others.map(([name, value]): ChatTool => ({
      type: "native",
      format: "gemini-content",
      definition: { [name]: value },
    })),
  ];
}

/** Filters the functions that the model may call. Google's own tools have no names. */
function readAllowedTools(tools: readonly ChatTool[], calling: JsonRecord): readonly ChatTool[] {
  const allowed = listOf(fieldOf(calling, "allowedFunctionNames")).map(textOf);
  if (allowed.length < 2) return tools;
  return [...onlyAllowed(tools, allowed), ...tools.filter(({ type }) => type === "native")];
}

function readToolChoice(calling: JsonRecord): ToolChoice | undefined {
  const allowed = listOf(fieldOf(calling, "allowedFunctionNames")).map(textOf);
  const [only = ""] = allowed;
  switch (textOf(calling.mode).toUpperCase()) {
    case "ANY":
      return allowed.length === 1 ? { type: "function", name: only } : { type: "required" };
    case "NONE":
      return { type: "none" };
    case "AUTO":
    case "VALIDATED":
      return { type: "auto" };
    default:
      return undefined;
  }
}

function readAnswerFormat(config: JsonRecord): AnswerFormat | undefined {
  if (textOf(fieldOf(config, "responseMimeType")) !== "application/json") return undefined;
  const json = fieldOf(config, "responseJsonSchema");
  const own = fieldOf(config, "responseSchema");
  if (json === undefined && own === undefined) return { type: "json" };
  const schema = isRecord(json) ? json : readSchema(own);
  return { type: "json-schema", name: "", description: "", schema, strict: undefined };
}

/** A budget of -1 means adaptive. Source: https://ai.google.dev/gemini-api/docs/thinking */
function readReasoning(thinking: JsonRecord): ReasoningOptions | undefined {
  if (Object.keys(thinking).length === 0) return undefined;
  const level = textOf(fieldOf(thinking, "thinkingLevel")).toLowerCase();
  const effort = REASONING_EFFORTS.find((known) => known === level);
  const budget = numberField(thinking, "thinkingBudget");
  const mode = budget === undefined ? undefined : budget === 0 ? "off" : budget < 0 ? "adaptive" : "budget";
  const display = fieldOf(thinking, "includeThoughts") === true ? undefined : "omitted";
  const isAsked = mode !== undefined || effort !== undefined;
  if (!isAsked && display !== undefined) return undefined;
  return {
    mode: isAsked ? mode : "adaptive",
    budgetTokens: mode === "budget" ? budget : undefined,
    effort,
    display,
  };
}
