import type { Anthropic } from "@anthropic-ai/sdk";
import type { ServiceTierType, TokenUsage } from "@aws-sdk/client-bedrock-runtime";
import type {
  GenerateContentResponseUsageMetadata,
  GroundingChunk,
  GroundingMetadata,
  ServiceTier,
  TrafficType,
} from "@google/genai";
import type { Groq } from "groq-sdk";
import type { ChatCompletionCreateParams as GroqRequest } from "groq-sdk/resources/chat/completions";
import type { OpenAI } from "openai";

/** Values in vendors' SDKs that may have a price: tiers, and fields of reports. A new value in an SDK is a type error until it is classified here. */

/** `plain`: no price of its own, or included in another count; `read`: the gateway reads it. */
type Decision = "plain" | "read";
type Decided<Name extends string> = Readonly<Record<Name, Decision>>;
type NameOf<Value> = Extract<Value, string>;

type OpenAiTier = NameOf<
  OpenAI.ChatCompletionCreateParams["service_tier"] | OpenAI.Responses.ResponseCreateParams["service_tier"]
>;
/** Price factors of OpenAI's tiers, for a model with all of them, such as `gpt-6-astra`. */
export const OPENAI_TIERS: Readonly<Record<OpenAiTier, number>> = {
  auto: 1,
  default: 1,
  scale: 1,
  flex: 0.5,
  priority: 2,
  fast: 2,
  ultrafast: 6,
};

/** Price factors of Groq's tiers; `performance` is priced by contract. */
export const GROQ_TIERS: Readonly<Record<NameOf<GroqRequest["service_tier"]>, number>> = {
  auto: 1,
  on_demand: 1,
  flex: 1,
  performance: 6,
};

/** Price factors of Anthropic's fields for `claude-opus-5`. */
export const CLAUDE_TIERS: Readonly<
  Record<NameOf<Anthropic.Beta.BetaUsage["service_tier"] | Anthropic.Beta.MessageCreateParams["service_tier"]>, number>
> = { auto: 1, standard_only: 1, standard: 1, priority: 1, batch: 1 };
export const CLAUDE_SPEEDS: Readonly<Record<NameOf<Anthropic.Beta.BetaUsage["speed"]>, number>> = {
  standard: 1,
  fast: 2,
};

export const GOOGLE_TIERS: Readonly<Record<`${ServiceTier}` | `${TrafficType}`, number>> = {
  unspecified: 1,
  standard: 1,
  flex: 0.5,
  priority: 2,
  TRAFFIC_TYPE_UNSPECIFIED: 1,
  ON_DEMAND: 1,
  ON_DEMAND_PRIORITY: 2,
  ON_DEMAND_FLEX: 0.5,
  ON_DEMAND_OFFPEAK: 0.5,
  PROVISIONED_THROUGHPUT: 1,
};

/** Price factors of AWS's tiers; no page states the price of `priority` in numbers. */
export const BEDROCK_TIERS: Readonly<Record<ServiceTierType, number>> = {
  default: 1,
  reserved: 1,
  flex: 1,
  priority: 6,
};

type ChatUsage = OpenAI.CompletionUsage;
type ResponseUsage = OpenAI.Responses.ResponseUsage;
type ClaudeUsage = Anthropic.Beta.BetaUsage;

/** Report fields by vendor. A number in a `read` field changes the charge. */
export const REPORT_FIELDS = {
  "chat completions": {
    prompt_tokens: "read",
    completion_tokens: "read",
    total_tokens: "read",
    prompt_tokens_details: "read",
    completion_tokens_details: "read",
  } satisfies Decided<keyof ChatUsage>,
  "prompts of chat completions": {
    audio_tokens: "read",
    cache_write_tokens: "read",
    cached_tokens: "read",
    image_tokens: "read",
    text_tokens: "plain",
  } satisfies Decided<keyof NonNullable<ChatUsage["prompt_tokens_details"]>>,
  "completions of chat completions": {
    accepted_prediction_tokens: "plain",
    rejected_prediction_tokens: "plain",
    audio_tokens: "read",
    reasoning_tokens: "read",
    text_tokens: "plain",
  } satisfies Decided<keyof NonNullable<ChatUsage["completion_tokens_details"]>>,
  Groq: {
    prompt_tokens: "read",
    completion_tokens: "read",
    total_tokens: "read",
    prompt_tokens_details: "read",
    completion_tokens_details: "read",
    completion_time: "plain",
    prompt_time: "plain",
    queue_time: "plain",
    total_time: "plain",
  } satisfies Decided<keyof Groq.CompletionUsage>,
  Responses: {
    input_tokens: "read",
    output_tokens: "read",
    total_tokens: "read",
    input_tokens_details: "read",
    output_tokens_details: "read",
  } satisfies Decided<keyof ResponseUsage>,
  "prompts of Responses": {
    cache_write_tokens: "read",
    cache_write_tokens_details: "read",
    cached_tokens: "read",
  } satisfies Decided<keyof ResponseUsage["input_tokens_details"]>,
  "completions of Responses": { reasoning_tokens: "read" } satisfies Decided<
    keyof ResponseUsage["output_tokens_details"]
  >,
  // Pictures are refused as a tool of Responses; searches are counted by item.
  "tools of Responses": { image_gen: "plain", web_search: "plain" } satisfies Decided<
    keyof OpenAI.Responses.Response.ToolUsage
  >,
  Messages: {
    input_tokens: "read",
    output_tokens: "read",
    cache_creation: "read",
    cache_creation_input_tokens: "read",
    cache_read_input_tokens: "read",
    // A discount for a fallback, which is refused.
    fallback_credit: "plain",
    inference_geo: "read",
    iterations: "read",
    output_tokens_details: "read",
    server_tool_use: "read",
    service_tier: "read",
    speed: "read",
  } satisfies Decided<keyof ClaudeUsage>,
  "tools of Messages": { web_search_requests: "read", web_fetch_requests: "plain" } satisfies Decided<
    keyof NonNullable<ClaudeUsage["server_tool_use"]>
  >,
  Gemini: {
    promptTokenCount: "read",
    candidatesTokenCount: "read",
    totalTokenCount: "read",
    cachedContentTokenCount: "read",
    thoughtsTokenCount: "read",
    toolUsePromptTokenCount: "read",
    cacheTokensDetails: "read",
    candidatesTokensDetails: "read",
    promptTokensDetails: "read",
    toolUsePromptTokensDetails: "read",
    trafficType: "read",
    // Included in the prompt.
    initialPromptTokenCount: "plain",
  } satisfies Decided<keyof GenerateContentResponseUsageMetadata>,
  "Gemini's grounding": {
    groundingChunks: "read",
    webSearchQueries: "read",
    imageSearchQueries: "read",
    googleMapsWidgetContextToken: "read",
    groundingSupports: "plain",
    retrievalMetadata: "plain",
    retrievalQueries: "plain",
    searchEntryPoint: "plain",
    sourceFlaggingUris: "plain",
  } satisfies Decided<keyof GroundingMetadata>,
  "Gemini's sources": { web: "read", image: "read", maps: "read", retrievedContext: "read" } satisfies Decided<
    keyof GroundingChunk
  >,
  Bedrock: {
    inputTokens: "read",
    outputTokens: "read",
    totalTokens: "plain",
    cacheReadInputTokens: "read",
    cacheWriteInputTokens: "read",
    cacheDetails: "read",
  } satisfies Decided<keyof TokenUsage>,
} as const;
