import type { JsonRecord } from "../shared/json-fields.ts";
import type { MessagePart, CacheMark } from "./message-part.ts";

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ChatTool[];
  /** Undefined: the provider's default. */
  readonly toolChoice: ToolChoice | undefined;
  /** At most one tool call per assistant message. */
  readonly singleToolCall: boolean;
  readonly options: ChatOptions;
  readonly stream: boolean;
  readonly reportUsage: boolean;
  readonly foreign: ForeignFields;
}

/** Top-level fields without a neutral equivalent. The same format writes them again; others drop them. */
export interface ForeignFields {
  readonly format: string;
  readonly fields: JsonRecord;
  /** Fields that change the meaning of the request. Other formats must refuse it. */
  readonly indispensable: readonly string[];
  /** Names of nested fields without a neutral equivalent. They are always dropped. */
  readonly lost: readonly string[];
}

/** Tool results are parts of user messages. */
export interface ChatMessage {
  readonly role: "system" | "user" | "assistant";
  readonly name: string;
  readonly parts: readonly MessagePart[];
}

/** A function of the caller, or a tool that only the named format knows (web search, code execution …). */
export type ChatTool =
  | {
      readonly type: "function";
      readonly name: string;
      readonly description: string;
      readonly schema: JsonRecord;
      readonly strict: boolean | undefined;
      readonly cache: CacheMark | undefined;
    }
  | { readonly type: "native"; readonly format: string; readonly definition: JsonRecord };

export type ToolChoice =
  | { readonly type: "auto" | "none" | "required" }
  | { readonly type: "function"; readonly name: string };

/** Undefined leaves an option to the provider. */
export interface ChatOptions {
  readonly maxTokens: number | undefined;
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
  readonly topK: number | undefined;
  readonly seed: number | undefined;
  readonly frequencyPenalty: number | undefined;
  readonly presencePenalty: number | undefined;
  readonly answers: number | undefined;
  readonly stop: readonly string[];
  readonly answerFormat: AnswerFormat | undefined;
  readonly reasoning: ReasoningOptions | undefined;
  /** Number of alternatives per token; absent: no log probabilities. */
  readonly logprobs?: number | undefined;
  readonly userId: string;
}

export type AnswerFormat =
  | { readonly type: "json" }
  | {
      readonly type: "json-schema";
      readonly name: string;
      readonly description: string;
      readonly schema: JsonRecord;
      readonly strict: boolean | undefined;
    };

export interface ReasoningOptions {
  /** `adaptive`: the model decides; `budget`: up to `budgetTokens`; undefined: only the effort decides. */
  readonly mode: "off" | "adaptive" | "budget" | undefined;
  readonly budgetTokens: number | undefined;
  readonly effort: ReasoningEffort | undefined;
  readonly display: string | undefined;
}

export const REASONING_EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/** Thinking budgets in tokens: below the first an effort is low, below the second medium. */
const LOW_BUDGET = 4_096;
const MEDIUM_BUDGET = 16_384;

/** Converts a thinking budget into an effort, for formats without budgets. */
export function effortOfBudget(budgetTokens: number): "low" | "medium" | "high" {
  if (budgetTokens < LOW_BUDGET) return "low";
  return budgetTokens < MEDIUM_BUDGET ? "medium" : "high";
}

export function nativeName(value: JsonRecord): string {
  const { name, type } = value;
  const [field = "unknown"] = Object.keys(value);
  return typeof name === "string" ? name : typeof type === "string" ? type : field;
}

/** Tools that the model may call, by function name or native type. The result needs no allow list in any format. */
export function onlyAllowed(tools: readonly ChatTool[], names: readonly string[]): readonly ChatTool[] {
  return tools.filter((tool) => names.includes(tool.type === "function" ? tool.name : nativeName(tool.definition)));
}

export type Drop = (name: string) => void;

/**
 * Returns the foreign fields of the format and drops those of others. `said` are names that the format writes from the
 * neutral form. Throws UntranslatableError for an indispensable field.
 */
export function takeForeignFields(
  foreign: ForeignFields,
  format: string,
  drop: Drop,
  said: ReadonlySet<string> = NONE,
): JsonRecord {
  for (const name of foreign.lost) if (!said.has(name)) drop(name);
  if (foreign.format === format) return foreign.fields;
  const [field] = foreign.indispensable;
  if (field !== undefined) {
    const message = `${field} needs a provider that speaks the API of this request itself, and the one that serves this model does not. Send the whole conversation without it.`;
    throw new UntranslatableError(field, message);
  }
  for (const [name, value] of Object.entries(foreign.fields)) if (value !== false && !said.has(name)) drop(name);
  return {};
}

const NONE: ReadonlySet<string> = new Set();

export const THOUGHTS_SHOWN = "thinking.display";
/** For formats that write it from the neutral form. */
export const WRITES_THOUGHTS_SHOWN: ReadonlySet<string> = new Set([THOUGHTS_SHOWN]);

/** True if a part or a tool ends a prefix that the provider may cache. */
export function hasCacheMark({ messages, tools }: ChatRequest): boolean {
  return [...messages.flatMap(({ parts }) => parts), ...tools].some(
    (marked) => "cache" in marked && marked.cache !== undefined,
  );
}

/**
 * A request that cannot be read or must not be translated. The message is for the caller; `field` is the one to
 * correct.
 */
export class UntranslatableError extends Error {
  override name = "UntranslatableError";
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}
