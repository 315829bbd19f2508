import type { ReasoningEffort } from "../../neutral/chat-request.ts";
import type { NameRule } from "../../neutral/fit/name-rule.ts";
import type { OpenAiRequestVariant } from "../openai/openai-format.ts";

type ThoughtsField = "details" | "text" | "reasoning" | "either" | "parts" | "google" | "dropped";

export interface OpenAiChatVariant extends OpenAiRequestVariant {
  readonly cacheMarks: boolean;
  /**
   * Form of the model's earlier thoughts in requests.
   *
   * | form | written as |
   * |---|---|
   * | `details` | `reasoning_details` |
   * | `text` | `reasoning_content` |
   * | `reasoning` | `reasoning` |
   * | `either` | both, for servers that may know either |
   * | `parts` | parts of the content |
   * | `google` | Google's call signatures |
   * | `dropped` | not at all |
   */
  readonly thoughts: ThoughtsField | ((model: string) => ThoughtsField);
  /** Kind of provider. Its thoughts are returned in the field that held them; empty: as `thoughts`. */
  readonly origin: string;
  /** True for a model that thinks by default, and then refuses conversations with calls whose thoughts are missing. */
  readonly needsThoughts: (model: string) => boolean;
  /**
   * Form of the thinking options: `effort` for known models only, `effort-always`, `thinking`, OpenRouter's
   * `reasoning`, or none.
   */
  readonly reasoning: "effort" | "effort-always" | "thinking" | "reasoning" | "none";
  /** Efforts beside `thinking`, by the caller's; undefined if it accepts none. */
  readonly efforts: Readonly<Record<Exclude<ReasoningEffort, "none">, string>> | undefined;
  readonly requiredChoice: "required" | "any";
  readonly seedField: "seed" | "random_seed";
  readonly topK: boolean;
  readonly callIds: NameRule;
  /** Has log probabilities. Otherwise they are only requested for callers of this same API. */
  readonly logprobs: boolean;
}

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

/** Switches thinking by the field `thinking`, and requires earlier thoughts as text. */
export const THINKING = {
  limitField: "max_tokens",
  developerRole: false,
  reasoning: "thinking",
  thoughts: "text",
} as const;

/** Only knows the older token limit, and neither efforts nor log probabilities. */
export const PLAIN = { limitField: "max_tokens", developerRole: false, reasoning: "none", logprobs: false } as const;

export const EITHER_LIMIT = { limitField: "either" } as const;

/** Forwards to any provider. DeepSeek and older servers name thoughts `reasoning_content`, vLLM `reasoning`. */
export const ANY_PROVIDER = { ...EITHER_LIMIT, thoughts: "either" } as const;
