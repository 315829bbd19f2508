import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CHANNEL_TYPES } from "@one-api/contract/channels/channel-types";
import type { AskedChat, ProviderChat } from "../format-sides.ts";
import { UntranslatableError } from "../neutral/chat-request.ts";
import { providerOf } from "../registry.ts";
import { type JsonRecord, recordOf } from "../shared/json-fields.ts";
import {
  CHAT_FIELDS,
  CLAUDE_FIELDS,
  COMPLETION_FIELDS,
  GOOGLE_FIELDS,
  RESPONSES_FIELDS,
  type FieldCases,
} from "../testing/request-fields.ts";
import {
  BEDROCK_TIERS,
  CLAUDE_SPEEDS,
  CLAUDE_TIERS,
  GOOGLE_TIERS,
  GROQ_TIERS,
  OPENAI_TIERS,
  REPORT_FIELDS,
} from "../testing/billed-values.ts";
import { anthropicMessages } from "./anthropic-messages/anthropic-messages.ts";
import { readUsage as readBedrockUsage } from "../vendors/aws/answer.ts";
import { geminiContent } from "./gemini/gemini.ts";
import { openAiCompletions } from "./openai-chat/completions/openai-completions.ts";
import { openAiChat } from "./openai-chat/openai-chat.ts";
import { openAiResponses } from "./openai-responses/openai-responses.ts";

/** Two requests that differ in one field. */
interface Pair {
  readonly name: string;
  readonly least: JsonRecord;
  /** Includes the fields that the tested one requires. */
  readonly without: JsonRecord;
  readonly with: JsonRecord;
}

interface Caller {
  readonly side: AskedChat | undefined;
  readonly pairs: readonly Pair[];
}

const messages = [{ role: "user", content: "Hi" }];

function pairsOf(least: JsonRecord, options: FieldCases): readonly Pair[] {
  return Object.entries(options).map(([name, { value, beside }]) => {
    const without = { ...least, ...beside };
    return { name, least, without, with: withField(without, name.split("."), value) };
  });
}

function withField(body: JsonRecord, [name = "", ...inside]: readonly string[], value: unknown): JsonRecord {
  return { ...body, [name]: inside.length === 0 ? value : withField(recordOf(body[name]), inside, value) };
}

const CALLERS: Readonly<Record<string, Caller>> = {
  "chat completions": { side: openAiChat().chat, pairs: pairsOf({ messages }, CHAT_FIELDS) },
  completions: { side: openAiCompletions.askedChat, pairs: pairsOf({ prompt: "Hi" }, COMPLETION_FIELDS) },
  Responses: { side: openAiResponses.chat, pairs: pairsOf({ input: "Hi" }, RESPONSES_FIELDS) },
  "Anthropic's messages": {
    side: anthropicMessages("2023-06-01").chat,
    pairs: pairsOf({ messages, max_tokens: 9 }, CLAUDE_FIELDS),
  },
  "Gemini's content": {
    side: geminiContent.chat,
    pairs: pairsOf({ contents: [{ role: "user", parts: [{ text: "Hi" }] }] }, GOOGLE_FIELDS),
  },
};

/** Models for which some provider has a separate API, and keys of older APIs. */
const MODELS = ["m", "gpt-5-codex", "claude-opus-4-5", "gemini-3-flash-preview", "meta/llama-4"];
const KEYS = ["key", "api|secret", "app|id|key"];

/** Every provider format for chats, by the names of its channel types. */
function providersForms(): ReadonlyMap<string, ProviderChat> {
  const forms = new Map<string, ProviderChat>();
  for (const { type, label } of CHANNEL_TYPES) {
    const services = MODELS.flatMap((model) =>
      KEYS.map((key) =>
        providerOf(type)?.serve("chat-completions", model, undefined, {
          key,
          baseUrl: "",
          organization: "",
          other: "",
          config: {},
        }),
      ),
    );
    for (const { format } of services.filter((service) => service !== undefined)) {
      if (format.chat !== undefined) forms.set(`${label} (${format.name})`, format.chat);
    }
  }
  return forms;
}

/** Fields that request an API's fixed behaviour. */
const ALWAYS_SO: Readonly<Record<string, readonly string[]>> = {
  // Calls at most one function.
  "Baidu (baidu-chat)": ["parallel_tool_calls"],
};

/** Result of a request: body and dropped fields as one text, or the error. */
function fateOf(
  asked: AskedChat,
  served: ProviderChat,
  body: JsonRecord,
): { told: string; dropped: readonly string[] } {
  try {
    const { body: written, dropped } = served.writeRequest(asked.readRequest({ model: "m", ...body }));
    return { told: JSON.stringify([written, dropped]), dropped };
  } catch (error) {
    if (error instanceof UntranslatableError) return { told: `refused: ${error.field}`, dropped: [error.field] };
    throw error;
  }
}

/**
 * True if the field is neither written, named nor refused. A field that depends on a dropped or refused one is
 * excepted.
 */
function isSilent(asked: AskedChat, served: ProviderChat, pair: Pair): boolean {
  const without = fateOf(asked, served, pair.without);
  if (fateOf(asked, served, pair.with).told !== without.told) return false;
  return without.dropped.length === fateOf(asked, served, pair.least).dropped.length;
}

describe("a field of a request is translated, named or refused, never dropped silently", () => {
  for (const [caller, { side: asked, pairs }] of Object.entries(CALLERS)) {
    for (const [provider, served] of providersForms()) {
      it(`from ${caller} to ${provider}`, () => {
        assert.ok(asked !== undefined);
        const silent = pairs.filter((pair) => isSilent(asked, served, pair)).map(({ name }) => name);
        assert.deepEqual(
          silent.filter((name) => !ALWAYS_SO[provider]?.includes(name)),
          [],
        );
      });
    }
  }
});

describe("a value of an answer that may have a price is charged as decided", () => {
  const claude = anthropicMessages("2023-06-01");
  const READERS: Readonly<Record<string, (tier: string) => number | undefined>> = {
    "OpenAI's chat": (tier) =>
      openAiChat().readUsage({ model: "gpt-6-astra", service_tier: tier, usage: CHAT })?.priceFactor,
    "Groq's chat": (tier) =>
      openAiChat().readUsage({ model: "llama-3.3-70b-versatile", service_tier: tier, usage: CHAT })?.priceFactor,
    "OpenAI's Responses": (tier) =>
      openAiResponses.readUsage({ model: "gpt-6-astra", service_tier: tier, usage: RESPONSE })?.priceFactor,
    "Anthropic's tier": (tier) => claude.readUsage(claudeAnswer({ service_tier: tier }))?.priceFactor,
    "Anthropic's speed": (tier) => claude.readUsage(claudeAnswer({ speed: tier }))?.priceFactor,
    "Google's tier": (tier) =>
      geminiContent.readUsage({ usageMetadata: { ...GOOGLE, serviceTier: tier } })?.priceFactor,
    "Google's traffic": (tier) =>
      geminiContent.readUsage({ usageMetadata: { ...GOOGLE, trafficType: tier } })?.priceFactor,
    "AWS's tier": (type) => readBedrockUsage({ usage: { inputTokens: 1 }, serviceTier: { type } })?.priceFactor,
  };
  const TIERS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
    "OpenAI's chat": OPENAI_TIERS,
    "Groq's chat": GROQ_TIERS,
    "OpenAI's Responses": OPENAI_TIERS,
    "Anthropic's tier": CLAUDE_TIERS,
    "Anthropic's speed": CLAUDE_SPEEDS,
    "Google's tier": GOOGLE_TIERS,
    "Google's traffic": GOOGLE_TIERS,
    "AWS's tier": BEDROCK_TIERS,
  };
  for (const [where, read] of Object.entries(READERS)) {
    it(`${where}: each tier of the SDK, and unknown tiers at the highest factor`, () => {
      const factors = Object.keys(TIERS[where] ?? {}).map((tier) => [tier, read(tier)]);
      assert.deepEqual(Object.fromEntries(factors), TIERS[where]);
      assert.equal(read("some-new-tier"), 6);
    });
  }

  const REPORTS: Readonly<Record<string, (usage: JsonRecord) => unknown>> = {
    "chat completions": (usage) => openAiChat().readUsage({ usage: { ...CHAT, ...usage } }),
    "prompts of chat completions": (details) =>
      openAiChat().readUsage({ usage: { ...CHAT, prompt_tokens_details: details } }),
    "completions of chat completions": (details) =>
      openAiChat().readUsage({ usage: { ...CHAT, completion_tokens_details: details } }),
    Responses: (usage) => openAiResponses.readUsage({ usage: { ...RESPONSE, ...usage } }),
    "completions of Responses": (details) =>
      openAiResponses.readUsage({ usage: { ...RESPONSE, output_tokens_details: details } }),
    Messages: (usage) => claude.readUsage(claudeAnswer(usage)),
    "tools of Messages": (tools) => claude.readUsage(claudeAnswer({ server_tool_use: tools })),
    Gemini: (usageMetadata) => geminiContent.readUsage({ usageMetadata: { ...GOOGLE, ...usageMetadata } }),
    Bedrock: (usage) => readBedrockUsage({ usage: { inputTokens: 100, outputTokens: 100, ...usage } }),
  };
  for (const [where, fields] of Object.entries(REPORT_FIELDS)) {
    const read = REPORTS[where];
    if (read === undefined) continue;
    it(`${where}: every count that is read changes what is charged`, () => {
      for (const [name, decision] of Object.entries(fields)) {
        if (!/(?:tokens|requests|Tokens|TokenCount)$/.test(name)) continue;
        const isRead: boolean = JSON.stringify(read({ [name]: 250 })) !== JSON.stringify(read({}));
        assert.equal(isRead, decision === "read", name);
      }
    });
  }
});

const CHAT = { prompt_tokens: 100, completion_tokens: 100, total_tokens: 200 };
const RESPONSE = { input_tokens: 100, output_tokens: 100, total_tokens: 200 };
const GOOGLE = { promptTokenCount: 100, candidatesTokenCount: 100, totalTokenCount: 200 };

function claudeAnswer(usage: JsonRecord): JsonRecord {
  return { model: "claude-opus-5", content: [], usage: { input_tokens: 100, output_tokens: 100, ...usage } };
}
