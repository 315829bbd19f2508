import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AskedChat, ProviderChat } from "../format.ts";
import { UntranslatableError } from "../neutral/chat-request.ts";
import type { JsonRecord } from "../shared/json-fields.ts";
import { anthropicMessages } from "./anthropic-messages/anthropic-messages.ts";
import { baiduChat } from "./baidu/baidu.ts";
import { cohereChat } from "./cohere/cohere.ts";
import { cozeChat } from "./coze/coze.ts";
import { deepLTranslation } from "./deepl/deepl.ts";
import { geminiContent } from "./gemini/gemini.ts";
import { ollamaChat } from "./ollama/ollama.ts";
import { openAiCompletions } from "./openai-chat/completions/openai-completions.ts";
import { openAiChat } from "./openai-chat/openai-chat.ts";
import { openAiResponses } from "./openai-responses/openai-responses.ts";
import { replicatePrediction } from "./replicate/replicate.ts";

interface Caller {
  readonly side: AskedChat | undefined;
  readonly least: JsonRecord;
  /** Every other field of the request's top, as the vendor's SDK of November 2026 has it, with a value that asks for something. */
  readonly fields: JsonRecord;
  /** What need not be named where it is not carried: it asks the gateway, or for nothing that an answer could lack. */
  readonly meaningless: readonly string[];
}

const schema = { type: "object", properties: { city: { type: "string" } } };
const messages = [{ role: "user", content: "Hi" }];
const OF_OPENAI = {
  prompt_cache_retention: "24h",
  safety_identifier: "ann",
  service_tier: "flex",
  temperature: 0.5,
  top_p: 0.5,
};

const CALLERS: Readonly<Record<string, Caller>> = {
  "chat completions": {
    side: openAiChat().chat,
    least: { messages },
    fields: {
      ...OF_OPENAI,
      audio: { voice: "alloy", format: "wav" },
      frequency_penalty: 0.5,
      functions: [{ name: "f", parameters: schema }],
      logit_bias: { 7: -100 },
      logprobs: true,
      max_completion_tokens: 7,
      max_tokens: 7,
      metadata: { a: "b" },
      modalities: ["text", "audio"],
      n: 2,
      prediction: { type: "content", content: "Hi" },
      presence_penalty: 0.5,
      prompt_cache_key: "key",
      reasoning_effort: "high",
      response_format: { type: "json_object" },
      seed: 7,
      stop: ["END"],
      store: true,
      tools: [{ type: "function", function: { name: "f", parameters: schema } }],
      top_logprobs: 2,
      user: "ann",
      verbosity: "low",
      web_search_options: { search_context_size: "low" },
    },
    meaningless: [],
  },
  completions: {
    side: openAiCompletions.askedChat,
    least: { prompt: "Hi" },
    fields: {
      best_of: 2,
      echo: true,
      frequency_penalty: 0.5,
      logit_bias: { 7: -100 },
      logprobs: 2,
      max_tokens: 7,
      n: 2,
      presence_penalty: 0.5,
      seed: 7,
      stop: ["END"],
      suffix: "the end",
      temperature: 0.5,
      top_p: 0.5,
      user: "ann",
    },
    meaningless: [],
  },
  Responses: {
    side: openAiResponses.chat,
    least: { input: "Hi" },
    fields: {
      ...OF_OPENAI,
      context_management: [{ type: "compaction" }],
      conversation: "conv_1",
      include: ["message.output_text.logprobs"],
      instructions: "Be brief.",
      max_output_tokens: 7,
      max_tool_calls: 2,
      metadata: { a: "b" },
      previous_response_id: "resp_1",
      prompt: { id: "pmpt_1" },
      prompt_cache_key: "key",
      reasoning: { effort: "high" },
      store: true,
      text: { format: { type: "json_object" } },
      tools: [{ type: "function", name: "f", parameters: schema }],
      top_logprobs: 2,
      truncation: "auto",
      user: "ann",
    },
    // `background` is refused before. The answer repeats `metadata`, and the gateway itself keeps a conversation with the channel that has its prompt.
    meaningless: ["metadata", "prompt_cache_key"],
  },
  "Anthropic's messages": {
    side: anthropicMessages("2023-06-01").chat,
    least: { messages, max_tokens: 9 },
    fields: {
      cache_control: { type: "ephemeral" },
      container: "container_1",
      context_management: { edits: [{ type: "clear_tool_uses_20250919" }] },
      inference_geo: "us",
      mcp_servers: [{ type: "url", name: "a", url: "https://a.example" }],
      metadata: { user_id: "ann" },
      output_config: { effort: "low" },
      service_tier: "standard_only",
      speed: "fast",
      stop_sequences: ["END"],
      system: "Be brief.",
      temperature: 0.5,
      thinking: { type: "enabled", budget_tokens: 1_024 },
      tools: [{ name: "f", input_schema: schema }],
      top_k: 7,
      top_p: 0.5,
    },
    meaningless: [],
  },
  "Gemini's content": {
    side: geminiContent.chat,
    least: { contents: [{ role: "user", parts: [{ text: "Hi" }] }] },
    fields: {
      cachedContent: "cachedContents/1",
      generationConfig: { temperature: 0.5 },
      labels: { a: "b" },
      safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_NONE" }],
      serviceTier: "flex",
      store: true,
      systemInstruction: { parts: [{ text: "Be brief." }] },
      toolConfig: { includeServerSideToolInvocations: true },
      tools: [{ functionDeclarations: [{ name: "f", parameters: { type: "OBJECT" } }] }],
    },
    meaningless: [],
  },
};

const PROVIDERS: Readonly<Record<string, ProviderChat | undefined>> = {
  "OpenAI's chat": openAiChat().chat,
  "OpenAI's Responses": openAiResponses.chat,
  Anthropic: anthropicMessages("2023-06-01").chat,
  Gemini: geminiContent.chat,
  Cohere: cohereChat.chat,
  Ollama: ollamaChat.chat,
  Baidu: baiduChat.chat,
  Coze: cozeChat.chat,
  DeepL: deepLTranslation.chat,
  Replicate: replicatePrediction.chat,
};

/** What becomes of a request: its body and the names of what is left out, as one text; the fault where it is refused. */
function fateOf(asked: AskedChat, served: ProviderChat, body: JsonRecord): string {
  try {
    const { body: written, dropped } = served.writeRequest(asked.readRequest({ model: "m", ...body }));
    return JSON.stringify([written, dropped]);
  } catch (error) {
    if (error instanceof UntranslatableError) return `refused: ${error.field}`;
    throw error;
  }
}

describe("a field at the top of a request is carried, named or refused, and nothing is lost unsaid", () => {
  for (const [caller, { side: asked, least, fields, meaningless }] of Object.entries(CALLERS)) {
    for (const [provider, served] of Object.entries(PROVIDERS)) {
      it(`from ${caller} to ${provider}`, () => {
        assert.ok(asked !== undefined && served !== undefined);
        const plain = fateOf(asked, served, least);
        const silent = Object.entries(fields).filter(
          ([name, value]) =>
            !meaningless.includes(name) && fateOf(asked, served, { ...least, [name]: value }) === plain,
        );
        assert.deepEqual(
          silent.map(([name]) => name),
          [],
        );
      });
    }
  }
});
