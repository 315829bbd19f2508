import assert from "node:assert/strict";
import { CHANNEL_TYPES } from "@one-api/contract/channels/channel-types";
import type { ProviderChat } from "../format-sides.ts";
import { providerOf } from "../registry.ts";
import { type JsonRecord, listOf, recordOf } from "../shared/json-fields.ts";

const THOUGHT = "I ponder: 思考";
export const SIGNATURE = Buffer.from("signed by the provider").toString("base64");
const ARGUMENTS = '{"q":1}';

/** Provider whose model thinks and calls a tool, and the location of the thought in the next request. */
export interface Thinker {
  readonly name: string;
  readonly model: string;
  readonly chat: ProviderChat;
  readonly answer: JsonRecord;
  /** The same answer as frames of a stream: event names and data. */
  readonly stream: readonly (readonly [string, JsonRecord])[];
  readonly back: (assistant: JsonRecord) => unknown;
  readonly expected: unknown;
}

function chatOf(typeName: string, model: string): ProviderChat {
  const type = CHANNEL_TYPES.find(({ name }) => name === typeName)?.type ?? -1;
  const chat = providerOf(type)?.serve("chat-completions", model)?.format.chat;
  assert.ok(chat !== undefined, typeName);
  return chat;
}

const toolCall = { id: "c1", type: "function", function: { name: "f", arguments: ARGUMENTS } };

function likeOpenAi(
  typeName: string,
  model: string,
  thought: JsonRecord,
  more: Pick<Thinker, "back" | "expected">,
): Thinker {
  const chunk = (delta: JsonRecord, finish: string | null = null) =>
    ["", { id: "1", choices: [{ index: 0, delta, finish_reason: finish }] }] as const;
  const message = { role: "assistant", content: null, ...thought, tool_calls: [toolCall] };
  return {
    name: typeName,
    model,
    chat: chatOf(typeName, model),
    answer: { id: "1", choices: [{ index: 0, message, finish_reason: "tool_calls" }] },
    stream: [chunk(thought), chunk({ tool_calls: [{ index: 0, ...toolCall }] }), chunk({}, "tool_calls")],
    ...more,
  };
}

/** Providers without signatures, one for each field of a thought. */
export const fieldThinkers: readonly Thinker[] = [
  "custom",
  "groq",
  "mistral",
  "together",
  "novita",
  "siliconflow",
].flatMap((name) =>
  (["reasoning_content", "reasoning"] as const).map((field) =>
    likeOpenAi(
      name,
      "deepseek-v4-pro",
      { [field]: THOUGHT },
      {
        back: (message) => [message[field], message[field === "reasoning" ? "reasoning_content" : "reasoning"]],
        expected: [THOUGHT, undefined],
      },
    ),
  ),
);

const asText = { back: (message: JsonRecord) => message.reasoning_content ?? message.reasoning, expected: THOUGHT };
const asReasoning = { back: (message: JsonRecord) => message.reasoning, expected: THOUGHT };

const chats: readonly Thinker[] = [
  ...["custom", "closeai", "cloudflare"].map((name) => likeOpenAi(name, "glm-5", { reasoning: THOUGHT }, asReasoning)),
  ...[
    "custom",
    "api2d",
    "together",
    "novita",
    "siliconflow",
    "deepseek",
    "moonshot",
    "minimax",
    "zhipu",
    "doubao",
    "xai",
  ].flatMap((name) => [
    likeOpenAi(name, "deepseek-v4-pro", { reasoning_content: THOUGHT }, asText),
    likeOpenAi(name, "deepseek-v4-pro", { reasoning: THOUGHT }, asText),
  ]),
  likeOpenAi("groq", "openai/gpt-oss-120b", { reasoning: THOUGHT }, asReasoning),
  likeOpenAi(
    "mistral",
    "magistral-medium",
    { content: [{ type: "thinking", thinking: [{ type: "text", text: THOUGHT }] }] },
    {
      back: ({ content }) => content,
      expected: [{ type: "thinking", thinking: [{ type: "text", text: THOUGHT }] }],
    },
  ),
  likeOpenAi(
    "openrouter",
    "anthropic/claude-sonnet-4.6",
    { reasoning_details: [{ type: "reasoning.text", text: THOUGHT, signature: SIGNATURE, index: 0 }] },
    {
      back: ({ reasoning_details: details }) => details,
      expected: [{ type: "reasoning.text", text: THOUGHT, signature: SIGNATURE, index: 0 }],
    },
  ),
];

const SUMMARY = { type: "reasoning.summary", summary: THOUGHT, format: "openai-responses-v1", id: "rs_1", index: 0 };
const ENCRYPTED = { type: "reasoning.encrypted", data: "aGlk", format: "openai-responses-v1", id: "rs_1", index: 1 };
const asDetails = (...details: readonly JsonRecord[]) => ({
  back: ({ reasoning_details: given }: JsonRecord) => given,
  expected: details,
});
const GEMINIS = { type: "reasoning.encrypted", data: SIGNATURE, format: "google-gemini-v1", id: "c1", index: 0 };

const routed: readonly Thinker[] = [
  likeOpenAi(
    "openrouter",
    "openai/gpt-5.6-sol",
    { reasoning_details: [SUMMARY, ENCRYPTED] },
    asDetails(SUMMARY, ENCRYPTED),
  ),
  likeOpenAi("openrouter", "google/gemini-3.1-pro", { reasoning_details: [GEMINIS] }, asDetails(GEMINIS)),
];

const toolUse = { type: "tool_use", id: "c1", name: "f", input: { q: 1 } };
const thinking = { type: "thinking", thinking: THOUGHT, signature: SIGNATURE };
const claudeDelta = (index: number, delta: JsonRecord) => ["", { type: "content_block_delta", index, delta }] as const;

export const claude: Thinker = {
  name: "anthropic",
  model: "claude-sonnet-4-6",
  chat: chatOf("anthropic", "claude-sonnet-4-6"),
  answer: {
    id: "m",
    content: [thinking, { type: "redacted_thinking", data: "aGlk" }, toolUse],
    stop_reason: "tool_use",
  },
  stream: [
    ["", { type: "message_start", message: { id: "m", model: "claude-sonnet-4-6" } }],
    ["", { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } }],
    claudeDelta(0, { type: "thinking_delta", thinking: THOUGHT.slice(0, 4) }),
    claudeDelta(0, { type: "thinking_delta", thinking: THOUGHT.slice(4) }),
    claudeDelta(0, { type: "signature_delta", signature: SIGNATURE }),
    ["", { type: "content_block_start", index: 1, content_block: { type: "redacted_thinking", data: "aGlk" } }],
    ["", { type: "content_block_start", index: 2, content_block: { ...toolUse, input: {} } }],
    claudeDelta(2, { type: "input_json_delta", partial_json: ARGUMENTS }),
    ["", { type: "message_delta", delta: { stop_reason: "tool_use" } }],
  ],
  back: ({ content }) => listOf(content).slice(0, 2),
  expected: [thinking, { type: "redacted_thinking", data: "aGlk" }],
};

const converseDelta = (index: number, delta: JsonRecord) =>
  ["contentBlockDelta", { contentBlockIndex: index, delta }] as const;
const bedrock: Thinker = {
  name: "aws",
  model: "anthropic.claude-sonnet-4-6",
  chat: chatOf("aws", "anthropic.claude-sonnet-4-6"),
  answer: {
    output: {
      message: {
        content: [
          { reasoningContent: { reasoningText: { text: THOUGHT, signature: SIGNATURE } } },
          { toolUse: { toolUseId: "c1", name: "f", input: { q: 1 } } },
        ],
      },
    },
    stopReason: "tool_use",
  },
  stream: [
    converseDelta(0, { reasoningContent: { text: THOUGHT } }),
    converseDelta(0, { reasoningContent: { signature: SIGNATURE } }),
    ["contentBlockStart", { contentBlockIndex: 1, start: { toolUse: { toolUseId: "c1", name: "f" } } }],
    converseDelta(1, { toolUse: { input: ARGUMENTS } }),
    ["messageStop", { stopReason: "tool_use" }],
  ],
  back: ({ content }) => recordOf(listOf(content)[0]).reasoningContent,
  expected: { reasoningText: { text: THOUGHT, signature: SIGNATURE } },
};

const signedCall = { functionCall: { id: "c1", name: "f", args: { q: 1 } }, thoughtSignature: SIGNATURE };
const geminiAnswer = (parts: readonly JsonRecord[], finishReason?: string) => ({
  responseId: "r",
  candidates: [{ index: 0, content: { role: "model", parts }, ...(finishReason !== undefined && { finishReason }) }],
});
const gemini: Thinker = {
  name: "gemini",
  model: "gemini-3.1-pro-preview",
  chat: chatOf("gemini", "gemini-3.1-pro-preview"),
  answer: geminiAnswer([{ text: THOUGHT, thought: true }, { text: "Reading." }, signedCall], "STOP"),
  stream: [
    ["", geminiAnswer([{ text: THOUGHT, thought: true }])],
    ["", geminiAnswer([{ text: "Reading." }])],
    ["", geminiAnswer([signedCall], "STOP")],
  ],
  back: ({ parts }) =>
    listOf(parts)
      .map(recordOf)
      .find(({ functionCall }) => functionCall !== undefined)?.thoughtSignature,
  expected: SIGNATURE,
};

const openAiCall = { type: "function_call", call_id: "c1", name: "f", arguments: ARGUMENTS };
function openAi(summary: readonly JsonRecord[]): Thinker {
  const reasoning = { type: "reasoning", id: "rs_1", summary, encrypted_content: SIGNATURE };
  return {
    name: `openai, ${summary.length} summaries`,
    model: "gpt-5.3-codex",
    chat: chatOf("openai", "gpt-5.3-codex"),
    answer: { id: "r", status: "completed", output: [reasoning, openAiCall] },
    stream: [
      ["", { type: "response.created", response: { id: "r" } }],
      ["", { type: "response.output_item.added", output_index: 0, item: { ...reasoning, summary: [] } }],
      ...summary.map(
        ({ text }) => ["", { type: "response.reasoning_summary_text.delta", output_index: 0, delta: text }] as const,
      ),
      ["", { type: "response.output_item.done", output_index: 0, item: reasoning }],
      ["", { type: "response.output_item.added", output_index: 1, item: { ...openAiCall, arguments: "" } }],
      ["", { type: "response.function_call_arguments.delta", output_index: 1, delta: ARGUMENTS }],
      ["", { type: "response.completed", response: { status: "completed" } }],
    ],
    back: (items) => [items.type, items.encrypted_content],
    expected: ["reasoning", SIGNATURE],
  };
}

const cohereCall = { id: "c1", type: "function", function: { name: "f", arguments: ARGUMENTS } };
const cohere: Thinker = {
  name: "cohere",
  model: "command-a-reasoning-08-2025",
  chat: chatOf("cohere", "command-a-reasoning-08-2025"),
  answer: {
    id: "1",
    message: { content: [{ type: "thinking", thinking: THOUGHT }], tool_calls: [cohereCall] },
    finish_reason: "TOOL_CALL",
  },
  stream: [
    ["", { type: "message-start", id: "1" }],
    ["", { type: "content-delta", index: 0, delta: { message: { content: { thinking: THOUGHT } } } }],
    ["", { type: "tool-call-start", index: 0, delta: { message: { tool_calls: cohereCall } } }],
    ["", { type: "tool-call-end", index: 0 }],
    ["", { type: "message-end", delta: { finish_reason: "TOOL_CALL" } }],
  ],
  back: ({ content, tool_plan: plan }) => [content, plan].flat().find((value) => value !== undefined),
  expected: { type: "thinking", thinking: THOUGHT },
};

const ollamaCall = { function: { name: "f", arguments: { q: 1 } } };
const ollama: Thinker = {
  name: "ollama",
  model: "qwen3",
  chat: chatOf("ollama", "qwen3"),
  answer: { created_at: "1", message: { thinking: THOUGHT, tool_calls: [ollamaCall] }, done: true },
  stream: [
    ["", { created_at: "1", message: { thinking: THOUGHT } }],
    ["", { created_at: "1", message: { tool_calls: [ollamaCall] } }],
    ["", { created_at: "1", done: true }],
  ],
  back: ({ thinking: thought }) => thought,
  expected: THOUGHT,
};

export const thinkers: readonly Thinker[] = [
  ...chats,
  ...routed,
  claude,
  bedrock,
  gemini,
  openAi([{ type: "summary_text", text: THOUGHT }]),
  openAi([]),
  cohere,
  ollama,
];
