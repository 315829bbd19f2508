import { wantedByChat, writeLogprobs } from "../../protocols/openai/stub/logprobs.ts";
import { type Call, json, LINES, type Reply, type StreamEvent, streamEvent } from "../../stub-kit/call.ts";
import { type ChatAnswer, chatEndpoint } from "../../stub-kit/chat-endpoint.ts";
import { piecesOf } from "../../stub-kit/compose-answer.ts";
import { vectorsOf } from "../../stub-kit/embedding-vector.ts";
import { countField, isJsonObject, listField, objectField } from "../../stub-kit/json-fields.ts";
import { countChatPromptTokens, countInputTokens, inputTexts } from "../../stub-kit/prompt.ts";
import { readModel } from "../../stub-kit/read-model.ts";
import { bearerKey, refuse } from "../../stub-kit/refusal.ts";
import { reportUsage } from "../../stub-kit/report-usage.ts";
import type { Stub } from "../../stub-kit/stub.ts";
import { THOUGHT } from "../../stub-kit/thought.ts";

const DIMENSIONS = 768;
const CREATED_AT = "2026-11-22T00:00:00.123456789Z";

/** Lines, unless `stream` is false. */
const chat = chatEndpoint({
  check(call) {
    readModel(call);
    for (const message of listField(call.body, "messages")) checkMessage(message);
    wantedByChat(call.body);
  },
  isStream: ({ body }) => body["stream"] !== false,
  framing: LINES,
  limit: (body) => countField(objectField(body, "options"), "num_predict", 1),
  reasons: { stop: "stop", length: "length", tool_calls: "stop" },
  usage: ({ body }, tokens) => ({ prompt_eval_count: countChatPromptTokens(body), eval_count: tokens }),
  document: (answer) => ({
    ...headOf(answer),
    ...(answer.toolCall === undefined && logprobsOf(answer, answer.pieces)),
    message: { role: "assistant", content: answer.text, ...thinkingOf(answer), ...toolCallsOf(answer) },
    ...endOf(answer),
  }),
  *events(answer): Generator<StreamEvent> {
    const { call, pieces, toolCall, finish } = answer;
    const line = (part: StreamEvent["part"], message: object, rest: object = { done: false }) =>
      streamEvent(part, { ...headOf(answer), message: { role: "assistant", content: "", ...message }, ...rest });
    const thinking = thinkingOf(answer);
    if (thinking !== undefined) yield line("opening", thinking);
    if (toolCall !== undefined) yield line("piece", toolCallsOf(answer));
    for (const content of piecesOf(call, pieces))
      yield line("piece", { content }, { done: false, ...logprobsOf(answer, [content]) });
    if (finish !== undefined) yield line("finish", {}, endOf(answer));
  },
});

/** Ollama's own API, which needs no key. Source: https://docs.ollama.com/api */
export const ollamaStub: Stub = {
  apis: [
    {
      routes: { "POST /api/chat": chat, "POST /api/embed": embed, "GET /api/tags": listTags },
      readKey: ({ authorization }) => bearerKey(authorization) ?? "",
      writeError: (_status, { error }) => ({ error: error.message }),
    },
  ],
};

function headOf({ call }: ChatAnswer): object {
  return { model: call.body["model"], created_at: CREATED_AT };
}

function endOf({ finish, usage }: ChatAnswer): object {
  return { done: true, done_reason: finish, total_duration: 5_000_000, load_duration: 1_000_000, ...usage };
}

function logprobsOf({ call }: ChatAnswer, pieces: readonly string[]): object {
  return { logprobs: writeLogprobs(pieces, wantedByChat(call.body)) };
}

function thinkingOf({ call: { body } }: ChatAnswer): object | undefined {
  return body["think"] !== undefined && body["think"] !== false ? { thinking: THOUGHT } : undefined;
}

function toolCallsOf({ toolCall }: ChatAnswer): object {
  if (toolCall === undefined) return {};
  const parsed: unknown = JSON.parse(toolCall.arguments);
  return { tool_calls: [{ function: { index: 0, name: toolCall.name, arguments: parsed } }] };
}

function checkMessage(message: unknown): void {
  const refuseType = (text: string) => refuse(`json: cannot unmarshal ${text}`);
  if (!isJsonObject(message)) return refuseType("array into Go struct field ChatRequest.messages");
  const { role, content } = message;
  if (typeof content !== "string") refuseType("array into Go struct field ChatRequest.messages.content of type string");
  if (!["system", "user", "assistant", "tool"].includes(String(role))) refuse(`invalid role: ${String(role)}`);
  for (const image of listField(message, "images")) {
    if (typeof image !== "string" || !/^[A-Za-z0-9+/]+=*$/.test(image)) refuseType("illegal base64 data in images");
  }
  for (const call of listField(message, "tool_calls")) {
    if (!isJsonObject(call) || !isJsonObject(objectField(call, "function")["arguments"]))
      refuseType("string into Go struct field ToolCallFunction.messages.tool_calls.function.arguments");
  }
}

function embed(call: Call): Reply {
  const model = readModel(call);
  const { body, behaviour } = call;
  const embeddings = vectorsOf(call, inputTexts(body["input"]), countField(body, "dimensions", 1) ?? DIMENSIONS);
  const counted = reportUsage({ prompt_eval_count: countInputTokens(body["input"]) }, behaviour);
  return json({ model, embeddings, total_duration: 5_000_000, ...counted });
}

function listTags({ settings }: Call): Reply {
  const about = { modified_at: CREATED_AT, size: 1, digest: "0", details: {} };
  return json({ models: settings.models.map((name) => ({ name, model: name, ...about })) });
}
