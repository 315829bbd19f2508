import type { JsonRecord } from "../shared/json-fields.ts";
import type { MessagePart, CacheMark } from "./message-part.ts";

/** A chat as every format can say it: what one format reads, any other can write. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ChatTool[];
  /** Undefined: the provider's own default. */
  readonly toolChoice: ToolChoice | undefined;
  /** At most one tool call a turn. */
  readonly singleToolCall: boolean;
  readonly options: ChatOptions;
  readonly stream: boolean;
  /** The stream ends with a report of its usage. */
  readonly reportUsage: boolean;
  /** Fields that are known to the format they were written in alone. */
  readonly foreign: ForeignFields;
}

/** Top-level fields that the neutral form has no word for; written back by the same format, dropped by others. */
export interface ForeignFields {
  readonly format: string;
  readonly fields: JsonRecord;
  /** What the request would mean something else without, so that no other format may leave it out. */
  readonly indispensable: readonly string[];
  /** What stands deeper in the request and has no word in the neutral form, by name: whatever is written of it, that is left out. */
  readonly lost: readonly string[];
}

/** One turn. Results of tools are parts of the user's turn. */
export interface ChatMessage {
  readonly role: "system" | "user" | "assistant";
  /** Who speaks, where several share a role; empty for nobody in particular. */
  readonly name: string;
  readonly parts: readonly MessagePart[];
}

/** A tool that the caller runs, or one that only the named format knows (web search, code execution …). */
export type ChatTool =
  | {
      readonly type: "function";
      readonly name: string;
      readonly description: string;
      /** JSON schema of the arguments. */
      readonly schema: JsonRecord;
      readonly strict: boolean | undefined;
      readonly cache: CacheMark | undefined;
    }
  | { readonly type: "native"; readonly format: string; readonly definition: JsonRecord };

/** Which tool the model has to call. */
export type ToolChoice =
  | { readonly type: "auto" | "none" | "required" }
  | { readonly type: "function"; readonly name: string };

/** How the model is to answer; undefined leaves it to the provider. */
export interface ChatOptions {
  readonly maxTokens: number | undefined;
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
  readonly topK: number | undefined;
  readonly seed: number | undefined;
  readonly frequencyPenalty: number | undefined;
  readonly presencePenalty: number | undefined;
  /** How many answers are asked for. */
  readonly answers: number | undefined;
  readonly stop: readonly string[];
  readonly answerFormat: AnswerFormat | undefined;
  readonly reasoning: ReasoningOptions | undefined;
  /** How likely its tokens were is to be told, with so many of the likeliest in the place of each; absent: nothing of that. */
  readonly logprobs?: number | undefined;
  /** The caller's own name for its user. */
  readonly userId: string;
}

/** The form that the answer's text must have. */
export type AnswerFormat =
  | { readonly type: "json" }
  | {
      readonly type: "json-schema";
      readonly name: string;
      readonly description: string;
      readonly schema: JsonRecord;
      readonly strict: boolean | undefined;
    };

/** How much the model thinks before it answers. */
export interface ReasoningOptions {
  /** `off`: not at all; `adaptive`: as the model sees fit; `budget`: up to so many tokens; undefined: by the effort alone. */
  readonly mode: "off" | "adaptive" | "budget" | undefined;
  readonly budgetTokens: number | undefined;
  readonly effort: ReasoningEffort | undefined;
  /** Whether the thoughts are shown. */
  readonly display: string | undefined;
}

export const REASONING_EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/** Below so many tokens of thought an effort is low, below the second number medium. */
const LOW_BUDGET = 4_096;
const MEDIUM_BUDGET = 16_384;

/** The effort that so many tokens of thought are, for formats that know no numbers. */
export function effortOfBudget(budgetTokens: number): "low" | "medium" | "high" {
  if (budgetTokens < LOW_BUDGET) return "low";
  return budgetTokens < MEDIUM_BUDGET ? "medium" : "high";
}

/** What a tool or a part is called that only one format knows: by its name, its type, or the one field that it has. */
export function nativeName(value: JsonRecord): string {
  const { name, type } = value;
  const [field = "unknown"] = Object.keys(value);
  return typeof name === "string" ? name : typeof type === "string" ? type : field;
}

/** Of the tools those that the model may call, by the names of functions and the types of what only a provider has: no other format needs a word for it then. */
export function onlyAllowed(tools: readonly ChatTool[], names: readonly string[]): readonly ChatTool[] {
  return tools.filter((tool) => names.includes(tool.type === "function" ? tool.name : nativeName(tool.definition)));
}

/** Notes by name what a format cannot say. */
export type Drop = (name: string) => void;

/**
 * The foreign fields that the format may write back. Those of another format are dropped by name; throws UntranslatableError where the request means
 * nothing without them. `said` names those that the format writes from the neutral form.
 */
export function keepForeignFields(
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

/** How Anthropic's callers say whether thoughts are shown. */
export const THOUGHTS_SHOWN = "thinking.display";
/** Said by formats that write that from the neutral form. */
export const SAYS_THOUGHTS_SHOWN: ReadonlySet<string> = new Set([THOUGHTS_SHOWN]);

/** True where a part or a tool says up to where the prompt may be kept in the provider's cache. */
export function hasCacheMark({ messages, tools }: ChatRequest): boolean {
  return [...messages.flatMap(({ parts }) => parts), ...tools].some(
    (marked) => "cache" in marked && marked.cache !== undefined,
  );
}

/** The fault of a request that cannot be read or must not be translated: a text for the caller and the field to mend. */
export class UntranslatableError extends Error {
  override name = "UntranslatableError";
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}
