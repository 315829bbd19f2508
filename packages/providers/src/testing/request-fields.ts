import type { Anthropic } from "@anthropic-ai/sdk";
import type { GenerateContentConfig, ThinkingConfig, ToolConfig } from "@google/genai";
import type { OpenAI } from "openai";
import type { JsonRecord } from "../shared/json-fields.ts";

export interface FieldCase {
  readonly value: unknown;
  /** Other fields that it needs to have an effect. */
  readonly beside?: JsonRecord;
}

export type FieldCases = Readonly<Record<string, FieldCase>>;

/**
 * Sample of every field of a vendor's request in its SDK, except the known ones. A new field in an SDK is a type error until it is classified
 * here.
 */
type EveryField<Request, Known extends keyof Request = never> = Readonly<
  Record<Exclude<keyof Request, Known> & string, FieldCase>
>;

/** The same for nested fields. */
type EveryPart<Field extends string, Value, Known extends keyof Value = never> = Readonly<
  Record<`${Field}.${Exclude<keyof Value, Known> & string}`, FieldCase>
>;

const SCHEMA = { type: "object", properties: { city: { type: "string" } } };
/** The gateway itself controls streaming and its usage reports. */
type OfStreams = "stream" | "stream_options";

const FUNCTIONS = [{ name: "f", parameters: SCHEMA }];
const CHAT_TOOLS = [{ type: "function", function: { name: "f", parameters: SCHEMA } }];
const RESPONSES_TOOLS = [{ type: "function", name: "f", parameters: SCHEMA }];
const CLAUDE_TOOLS = [{ name: "f", input_schema: SCHEMA }];
const THINKING = { type: "enabled", budget_tokens: 1_024 };
const GOOGLE_TOOLS = [{ functionDeclarations: [{ name: "f", parameters: { type: "OBJECT" } }] }];

type ChatRequest = OpenAI.ChatCompletionCreateParamsNonStreaming;

export const CHAT_FIELDS: EveryField<ChatRequest, "model" | "messages" | OfStreams | "web_search_options"> &
  EveryPart<"web_search_options", OpenAI.ChatCompletionCreateParams.WebSearchOptions> = {
  audio: { value: { voice: "alloy", format: "wav" } },
  frequency_penalty: { value: 0.5 },
  function_call: { value: { name: "f" }, beside: { functions: FUNCTIONS } },
  functions: { value: FUNCTIONS },
  logit_bias: { value: { 7: -100 } },
  logprobs: { value: true },
  max_completion_tokens: { value: 7 },
  max_tokens: { value: 7 },
  metadata: { value: { a: "b" } },
  modalities: { value: ["text", "audio"] },
  moderation: { value: { model: "omni-moderation-latest" } },
  n: { value: 2 },
  parallel_tool_calls: { value: false, beside: { tools: CHAT_TOOLS } },
  prediction: { value: { type: "content", content: "Hi" } },
  presence_penalty: { value: 0.5 },
  prompt_cache_key: { value: "key" },
  prompt_cache_options: { value: { mode: "explicit" } },
  prompt_cache_retention: { value: "24h" },
  reasoning_effort: { value: "high" },
  response_format: { value: { type: "json_object" } },
  safety_identifier: { value: "ann" },
  seed: { value: 7 },
  service_tier: { value: "flex" },
  stop: { value: ["END"] },
  store: { value: true },
  temperature: { value: 0.5 },
  tool_choice: { value: "required", beside: { tools: CHAT_TOOLS } },
  tools: { value: CHAT_TOOLS },
  top_logprobs: { value: 2, beside: { logprobs: true } },
  top_p: { value: 0.5 },
  user: { value: "ann" },
  verbosity: { value: "low" },
  "web_search_options.search_context_size": { value: "low" },
  "web_search_options.user_location": { value: { type: "approximate", approximate: { country: "DE" } } },
};

export const COMPLETION_FIELDS: EveryField<OpenAI.CompletionCreateParamsNonStreaming, "model" | "prompt" | OfStreams> =
  {
    best_of: { value: 2 },
    echo: { value: true },
    frequency_penalty: { value: 0.5 },
    logit_bias: { value: { 7: -100 } },
    logprobs: { value: 2 },
    max_tokens: { value: 7 },
    n: { value: 2 },
    presence_penalty: { value: 0.5 },
    seed: { value: 7 },
    stop: { value: ["END"] },
    suffix: { value: "the end" },
    temperature: { value: 0.5 },
    top_p: { value: 0.5 },
    user: { value: "ann" },
  };

type ResponsesRequest = OpenAI.Responses.ResponseCreateParamsNonStreaming;

/** `background` is refused earlier. The answer repeats `metadata`. `prompt_cache_key` serves the gateway's sticky routing. */
type OfGateway = "background" | "metadata" | "prompt_cache_key";

export const RESPONSES_FIELDS: EveryField<
  ResponsesRequest,
  "model" | "input" | OfStreams | OfGateway | "reasoning" | "text"
> &
  EveryPart<"reasoning", OpenAI.Reasoning> &
  EveryPart<"text", OpenAI.Responses.ResponseTextConfig> = {
  access_programs: { value: ["a"] },
  context_management: { value: [{ type: "compaction" }] },
  conversation: { value: "conv_1" },
  image: { value: {} },
  include: { value: ["message.output_text.logprobs"] },
  instructions: { value: "Be brief." },
  max_output_tokens: { value: 7 },
  max_tool_calls: { value: 2 },
  moderation: { value: { model: "omni-moderation-latest" } },
  parallel_tool_calls: { value: false, beside: { tools: RESPONSES_TOOLS } },
  previous_response_id: { value: "resp_1" },
  prompt: { value: { id: "pmpt_1" } },
  prompt_cache_options: { value: { mode: "explicit" } },
  prompt_cache_retention: { value: "24h" },
  "reasoning.context": { value: "all_turns" },
  "reasoning.effort": { value: "high" },
  "reasoning.generate_summary": { value: "detailed" },
  "reasoning.mode": { value: "pro" },
  "reasoning.summary": { value: "detailed" },
  safety_identifier: { value: "ann" },
  service_tier: { value: "flex" },
  store: { value: true },
  temperature: { value: 0.5 },
  "text.format": { value: { type: "json_object" } },
  "text.verbosity": { value: "low" },
  tool_choice: { value: "required", beside: { tools: RESPONSES_TOOLS } },
  tools: { value: RESPONSES_TOOLS },
  top_logprobs: { value: 2, beside: { include: ["message.output_text.logprobs"] } },
  top_p: { value: 0.5 },
  truncation: { value: "auto" },
  user: { value: "ann" },
};

type ClaudeRequest = Anthropic.Beta.MessageCreateParamsNonStreaming;

/** Fields of older models that the SDK lacks. */
type OfOlderClaudes = "temperature" | "top_k" | "top_p";

type ClaudesThoughts = Anthropic.Beta.BetaThinkingConfigEnabled;

/** `betas` is a header. */
export const CLAUDE_FIELDS: EveryField<
  ClaudeRequest,
  "model" | "messages" | "max_tokens" | "stream" | "betas" | "output_config" | "thinking"
> &
  EveryPart<"output_config", Anthropic.Beta.BetaOutputConfig> &
  EveryPart<"thinking", ClaudesThoughts, "type" | "budget_tokens"> &
  Readonly<Record<OfOlderClaudes | "thinking", FieldCase>> = {
  billing_policy: { value: {} },
  cache_control: { value: { type: "ephemeral" } },
  compaction: { value: {} },
  container: { value: "container_1" },
  context_management: { value: { edits: [{ type: "clear_tool_uses_20250919" }] } },
  diagnostics: { value: {} },
  fallback_credit_token: { value: "token" },
  fallbacks: { value: [{ model: "m2" }] },
  inference_geo: { value: "us" },
  mcp_servers: { value: [{ type: "url", name: "a", url: "https://a.example" }] },
  metadata: { value: { user_id: "ann" } },
  "output_config.effort": { value: "low" },
  "output_config.format": { value: { type: "json_schema", schema: SCHEMA } },
  "output_config.task_budget": { value: { type: "tokens", total: 1_000 } },
  output_format: { value: { type: "json_schema", schema: SCHEMA } },
  service_tier: { value: "standard_only" },
  speed: { value: "fast" },
  stop_sequences: { value: ["END"] },
  system: { value: "Be brief." },
  temperature: { value: 0.5 },
  thinking: { value: THINKING },
  "thinking.block_binding": { value: { type: "strict" }, beside: { thinking: THINKING } },
  "thinking.display": { value: "omitted", beside: { thinking: THINKING } },
  thread: { value: {} },
  tool_choice: { value: { type: "any" }, beside: { tools: CLAUDE_TOOLS } },
  tools: { value: CLAUDE_TOOLS },
  top_k: { value: 7 },
  top_p: { value: 0.5 },
  user_profile_id: { value: "ann" },
  workspace_id: { value: "w" },
};

/** Fields that the SDK does not send, or sends outside of the body. */
type OfClient = "httpOptions" | "abortSignal" | "automaticFunctionCalling" | "automaticContinuation";

/** Top-level fields of the request that the SDK groups in one configuration. */
type OfGoogleTop =
  | "cachedContent"
  | "continuationToken"
  | "labels"
  | "modelArmorConfig"
  | "safetySettings"
  | "serviceTier"
  | "store"
  | "systemInstruction"
  | "toolConfig"
  | "tools";

/** Fields that the SDK renames. */
type Renamed = "modelSelectionConfig" | "generationOutputConfig";

export const GOOGLE_FIELDS: Readonly<
  Record<Exclude<OfGoogleTop, "toolConfig"> | "outputConfig" | "generationConfig.modelConfig", FieldCase>
> &
  EveryPart<"generationConfig", GenerateContentConfig, OfClient | OfGoogleTop | Renamed | "thinkingConfig"> &
  EveryPart<"generationConfig.thinkingConfig", ThinkingConfig> &
  EveryPart<"toolConfig", ToolConfig> = {
  "generationConfig.audioTimestamp": { value: true },
  "generationConfig.audioTranscriptionConfig": { value: { languageCodes: ["de"] } },
  cachedContent: { value: "cachedContents/1" },
  "generationConfig.candidateCount": { value: 2 },
  continuationToken: { value: "token" },
  "generationConfig.enableEnhancedCivicAnswers": { value: true },
  "generationConfig.frequencyPenalty": { value: 0.5 },
  outputConfig: { value: { a: "b" } },
  "generationConfig.imageConfig": { value: { aspectRatio: "1:1" } },
  labels: { value: { a: "b" } },
  "generationConfig.logprobs": { value: 2, beside: { generationConfig: { responseLogprobs: true } } },
  "generationConfig.maxOutputTokens": { value: 7 },
  "generationConfig.mediaResolution": { value: "MEDIA_RESOLUTION_LOW" },
  modelArmorConfig: { value: { promptTemplateName: "a" } },
  "generationConfig.modelConfig": { value: { featureSelectionPreference: "BALANCED" } },
  "generationConfig.presencePenalty": { value: 0.5 },
  "generationConfig.responseJsonSchema": {
    value: SCHEMA,
    beside: { generationConfig: { responseMimeType: "application/json" } },
  },
  "generationConfig.responseLogprobs": { value: true },
  "generationConfig.responseMimeType": { value: "application/json" },
  "generationConfig.responseModalities": { value: ["TEXT", "IMAGE"] },
  "generationConfig.responseSchema": {
    value: { type: "OBJECT" },
    beside: { generationConfig: { responseMimeType: "application/json" } },
  },
  "generationConfig.routingConfig": { value: { autoMode: { modelRoutingPreference: "BALANCED" } } },
  safetySettings: { value: [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_NONE" }] },
  "generationConfig.seed": { value: 7 },
  serviceTier: { value: "flex" },
  "generationConfig.speechConfig": { value: { voiceConfig: { prebuiltVoiceConfig: { voiceName: "Kore" } } } },
  "generationConfig.stopSequences": { value: ["END"] },
  store: { value: true },
  systemInstruction: { value: { parts: [{ text: "Be brief." }] } },
  "generationConfig.temperature": { value: 0.5 },
  "generationConfig.thinkingConfig.includeThoughts": { value: true },
  "generationConfig.thinkingConfig.thinkingBudget": { value: 1_024 },
  "generationConfig.thinkingConfig.thinkingLevel": { value: "HIGH" },
  "toolConfig.functionCallingConfig": { value: { mode: "ANY" }, beside: { tools: GOOGLE_TOOLS } },
  "toolConfig.includeServerSideToolInvocations": { value: true },
  "toolConfig.retrievalConfig": { value: { languageCode: "de" } },
  tools: { value: GOOGLE_TOOLS },
  "generationConfig.topK": { value: 7 },
  "generationConfig.topP": { value: 0.5 },
};
