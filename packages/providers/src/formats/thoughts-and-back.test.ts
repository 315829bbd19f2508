import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CHANNEL_TYPES } from "@one-api/contract/channels/channel-types";
import type { AskedChat, Format, ProviderChat } from "../format.ts";
import type { ChatEvent } from "../neutral/chat-answer.ts";
import { SEAL_MARK } from "../neutral/sealed-thoughts.ts";
import { providerOf } from "../registry.ts";
import { isRecord, type JsonRecord, listOf, recordOf, textOf } from "../shared/json-fields.ts";
import { blocksOf, chatMessageOf, eventsOf, itemsOf, partsOf } from "../testing/answer-reader.ts";
import { anthropicMessages } from "./anthropic-messages/anthropic-messages.ts";
import { geminiContent } from "./gemini/gemini.ts";
import { openAiChat } from "./openai-chat/openai-chat.ts";
import { openAiResponses } from "./openai-responses/openai-responses.ts";

const THOUGHT = "I ponder: 思考";
const SIGNATURE = Buffer.from("signed by the provider").toString("base64");
const ARGUMENTS = '{"q":1}';
const schema = { type: "object", properties: { q: { type: "number" } } };

/** A provider whose model thinks and calls a tool, and where it looks for the thought in the next turn. */
interface Thinker {
  readonly name: string;
  readonly model: string;
  readonly chat: ProviderChat;
  readonly answer: JsonRecord;
  /** The same answer as the frames of a stream: the events' names and data. */
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

const asText = { back: (message: JsonRecord) => message.reasoning_content, expected: THOUGHT };
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

const toolUse = { type: "tool_use", id: "c1", name: "f", input: { q: 1 } };
const thinking = { type: "thinking", thinking: THOUGHT, signature: SIGNATURE };
const claudeDelta = (index: number, delta: JsonRecord) => ["", { type: "content_block_delta", index, delta }] as const;

const claude: Thinker = {
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

const thinkers = [
  ...chats,
  claude,
  bedrock,
  gemini,
  openAi([{ type: "summary_text", text: THOUGHT }]),
  openAi([]),
  cohere,
  ollama,
];

/** A client of one of the APIs: what it asks, and what it sends back of an answer. */
interface Client {
  readonly name: string;
  readonly asked: AskedChat;
  readonly request: JsonRecord;
  next(answer: JsonRecord): JsonRecord;
  nextOfStream(events: readonly JsonRecord[]): JsonRecord;
}

function sideOf({ chat }: Format): AskedChat {
  assert.ok(chat !== undefined);
  return chat;
}

const geminiRequest = {
  contents: [{ role: "user", parts: [{ text: "Hi" }] }],
  tools: [{ functionDeclarations: [{ name: "f", parametersJsonSchema: schema }] }],
  generationConfig: { thinkingConfig: { includeThoughts: true } },
};
function geminiClient(name: string, keeps: (part: JsonRecord) => boolean): Client {
  const next = (parts: readonly JsonRecord[]) => {
    const kept = parts.filter(keeps);
    const call = recordOf(kept.find(({ functionCall }) => functionCall !== undefined)?.functionCall);
    const response = { functionResponse: { id: call.id, name: "f", response: { ok: 1 } } };
    const turns = [
      { role: "model", parts: kept },
      { role: "user", parts: [response] },
    ];
    return { ...geminiRequest, contents: [...geminiRequest.contents, ...turns] };
  };
  return {
    name,
    asked: sideOf(geminiContent),
    request: geminiRequest,
    next: (answer) => next(partsOf([answer])),
    nextOfStream: (events) => next(partsOf(events)),
  };
}

const hi = { role: "user", content: "Hi" };
const messagesRequest = {
  max_tokens: 9_000,
  thinking: { type: "adaptive" },
  tools: [{ name: "f", input_schema: schema }],
  messages: [hi],
};
function messagesClient(name: string, keeps: (block: JsonRecord) => boolean): Client {
  const next = (blocks: readonly JsonRecord[]) => {
    const content = blocks.filter(keeps);
    const id = content.find(({ type }) => type === "tool_use")?.id;
    const result = { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "r" }] };
    return { ...messagesRequest, messages: [hi, { role: "assistant", content }, result] };
  };
  return {
    name,
    asked: sideOf(anthropicMessages("2023-06-01")),
    request: messagesRequest,
    next: (answer) => next(listOf(answer.content).map(recordOf)),
    nextOfStream: (events) => next(blocksOf(events)),
  };
}

const responsesRequest = {
  input: [hi],
  include: ["reasoning.encrypted_content"],
  tools: [{ type: "function", name: "f", parameters: schema }],
};
function responsesClient(name: string, keep: (item: JsonRecord) => JsonRecord): Client {
  const next = (items: readonly JsonRecord[]) => {
    const id = items.find(({ type }) => type === "function_call")?.call_id;
    return {
      ...responsesRequest,
      input: [hi, ...items.map(keep), { type: "function_call_output", call_id: id, output: "r" }],
    };
  };
  return {
    name,
    asked: sideOf(openAiResponses),
    request: responsesRequest,
    next: (answer) => next(listOf(answer.output).map(recordOf)),
    nextOfStream: (events) => next(itemsOf(events)),
  };
}

const chatRequest = { messages: [hi], tools: [{ type: "function", function: { name: "f", parameters: schema } }] };
function chatClient(name: string): Client {
  const next = (message: JsonRecord) => {
    const id = recordOf(listOf(message.tool_calls)[0]).id;
    return { ...chatRequest, messages: [hi, message, { role: "tool", tool_call_id: id, content: "r" }] };
  };
  return {
    name,
    asked: sideOf(openAiChat()),
    request: chatRequest,
    next: (answer) => next(recordOf(recordOf(listOf(answer.choices)[0]).message)),
    nextOfStream: (events) => next(chatMessageOf(events)),
  };
}

const isShownAndSigned = ({ type, thinking: text, signature }: JsonRecord) =>
  type !== "thinking" || (textOf(text) !== "" && textOf(signature) !== "");

const clients: readonly Client[] = [
  messagesClient("Messages", () => true),
  messagesClient("Messages that keeps thoughts with text and signature alone", isShownAndSigned),
  responsesClient("Responses", (item) => item),
  responsesClient("Responses that keeps encrypted content alone", (item) =>
    item.type === "reasoning" ? { ...item, summary: [] } : item,
  ),
  geminiClient("Gemini", () => true),
  geminiClient("Gemini that keeps no thoughts", ({ thought }) => thought !== true),
  chatClient("chat"),
];

function encode(asked: AskedChat, events: readonly ChatEvent[], envelope: Parameters<AskedChat["encode"]>[0]) {
  const encoder = asked.encode(envelope);
  const usage = { type: "usage-report" } as const;
  return (
    events
      .filter(({ type }) => type !== usage.type)
      .map((event) => encoder.write(event))
      .join("") + encoder.finish()
  );
}

/** The assistant's turn as the provider gets it back: a message, or the item of its thought. */
function turnOf(body: JsonRecord): JsonRecord {
  const turns = [body.messages, body.contents, body.input].flatMap(listOf).filter(isRecord);
  return turns.find(({ role, type }) => role === "assistant" || role === "model" || type === "reasoning") ?? {};
}

describe("thoughts go back to the provider that thought them", () => {
  for (const client of clients) {
    it(`from a client of ${client.name}, whole and streamed`, () => {
      for (const { name, model, chat, answer, stream, back, expected } of thinkers) {
        const envelope = { created: 1, reportUsage: false, request: client.request };
        assert.ok(chat.readAnswer !== undefined);
        const decoder = chat.decode();
        const events = stream.flatMap(([event, data]) => decoder.read(event, JSON.stringify(data)));
        const requests = [
          client.next(client.asked.writeAnswer(chat.readAnswer(answer), envelope)),
          client.nextOfStream(eventsOf(encode(client.asked, events, envelope))),
        ];
        for (const [index, request] of requests.entries()) {
          const { body } = chat.writeRequest({ ...client.asked.readRequest(request), model });
          const told = `${name}, ${index === 0 ? "whole" : "streamed"}: ${JSON.stringify(turnOf(body))}`;
          assert.deepEqual(back(turnOf(body)), expected, told);
          assert.equal(JSON.stringify(body).includes(SEAL_MARK), false, told);
        }
      }
    });
  }
});

describe("thoughts of another provider", () => {
  it("are left out where the conversation goes on elsewhere, and no provider sees a seal", () => {
    for (const client of clients) {
      for (const thinker of thinkers) {
        const envelope = { created: 1, reportUsage: false, request: client.request };
        assert.ok(thinker.chat.readAnswer !== undefined);
        const request = client.next(client.asked.writeAnswer(thinker.chat.readAnswer(thinker.answer), envelope));
        for (const { model, chat, name } of thinkers) {
          const { body } = chat.writeRequest({ ...client.asked.readRequest(request), model });
          const isOwn = name === thinker.name || name === "openrouter" || (name === "aws" && thinker === claude);
          const text = JSON.stringify(body);
          assert.equal(text.includes(SEAL_MARK), false, `${client.name}: ${thinker.name} to ${name}`);
          const isClaudes = /aws|anthropic|openrouter/.test(name) && /aws|anthropic|openrouter/.test(thinker.name);
          if (isOwn || isClaudes || name.startsWith("openai")) continue;
          assert.equal(text.includes(SIGNATURE), false, `${client.name}: ${thinker.name} to ${name}: ${text}`);
        }
      }
    }
  });
});
