import assert from "node:assert/strict";
import type { Format } from "../format.ts";
import type { AskedChat } from "../format-sides.ts";
import { anthropicMessages } from "../protocols/anthropic-messages/anthropic-messages.ts";
import { geminiContent } from "../protocols/gemini/gemini.ts";
import { openAiChat } from "../protocols/openai-chat/openai-chat.ts";
import { openAiResponses } from "../protocols/openai-responses/openai-responses.ts";
import { type JsonRecord, listOf, recordOf, textOf } from "../shared/json-fields.ts";
import { blocksOf, chatMessageOf, itemsOf, partsOf } from "./answer-reader.ts";

const schema = { type: "object", properties: { q: { type: "number" } } };

export interface ThinkingClient {
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
function geminiClient(name: string, keeps: (part: JsonRecord) => boolean): ThinkingClient {
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
function messagesClient(name: string, keeps: (block: JsonRecord) => boolean): ThinkingClient {
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
function responsesClient(name: string, keep: (item: JsonRecord) => JsonRecord): ThinkingClient {
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
function chatClient(name: string): ThinkingClient {
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

/** Clients of every API: some return the whole answer, others only some of its thoughts. */
export const thinkingClients: readonly ThinkingClient[] = [
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
