import type { ReasoningEffort } from "../../neutral/chat-request.ts";
import type { NameRule } from "../../neutral/fit/name-rule.ts";
import type { OpenAiRequestVariant } from "../openai/openai-format.ts";

/** Where thoughts stand in a message. */
type ThoughtsField = "details" | "text" | "reasoning" | "either" | "parts" | "google" | "dropped";

/** What a provider of OpenAI's chat has of its own; the default is OpenAI itself. */
export interface OpenAiChatVariant extends OpenAiRequestVariant {
  /** Takes marks of the cache in parts of content. */
  readonly cacheMarks: boolean;
  /**
   * How the model's earlier thoughts go back: as `reasoning_details`, as `reasoning_content`, as `reasoning`, as both for a server that may know either,
   * as parts of the content, as the signatures of calls that Google has, or not at all.
   */
  readonly thoughts: ThoughtsField | ((model: string) => ThoughtsField);
  /** Names the kind of provider: its thoughts go back to it in the field in which they came. Empty: they go back as all others do. */
  readonly origin: string;
  /** True for a model that thinks unless it is told not to, and then refuses conversations with calls whose thoughts are missing. */
  readonly needsThoughts: (model: string) => boolean;
  /**
   * How a request says how much to think: `effort` for models that are known to, `effort-always`, by `thinking`, by OpenRouter's `reasoning`, or not at
   * all.
   */
  readonly reasoning: "effort" | "effort-always" | "thinking" | "reasoning" | "none";
  /** Names of the efforts that are taken beside `thinking`, by those of callers; undefined where an effort has no place. */
  readonly efforts: Readonly<Record<Exclude<ReasoningEffort, "none">, string>> | undefined;
  readonly requiredChoice: "required" | "any";
  readonly seedField: "seed" | "random_seed";
  readonly topK: boolean;
  /** Ids of calls that it takes back. */
  readonly callIds: NameRule;
  /** Tells how likely tokens were. Where not, only those ask for it who call by this very API. */
  readonly logprobs: boolean;
}

/** OpenAI's own. */
export const OPENAI: OpenAiChatVariant = {
  limitField: "max_completion_tokens",
  streamUsage: "on-request",
  cacheMarks: false,
  thoughts: "dropped",
  origin: "",
  needsThoughts: () => false,
  reasoning: "effort",
  efforts: undefined,
  requiredChoice: "required",
  seedField: "seed",
  topK: false,
  // Longer ids are refused: "Expected a string with maximum length 40".
  callIds: { maxLength: 40, pattern: /^.{1,40}$/s, refused: /[^\w-]/g },
  logprobs: true,
};

/** Switches thinking by the field `thinking` and needs earlier thoughts back as text. */
export const THINKING = {
  limitField: "max_tokens",
  developerRole: false,
  reasoning: "thinking",
  thoughts: "text",
} as const;

/** Knows the older limit only, and neither efforts nor log probabilities. */
export const PLAIN = { limitField: "max_tokens", developerRole: false, reasoning: "none", logprobs: false } as const;

/** A server of which it is unknown which of the two limits it reads. */
export const EITHER_LIMIT = { limitField: "either" } as const;

/** Forwards to any provider. DeepSeek and older servers name thoughts `reasoning_content`, vLLM names them `reasoning`. */
export const ANY_PROVIDER = { ...EITHER_LIMIT, thoughts: "either" } as const;
