import { reportUsage } from "../../stub-kit/report-usage.ts";
import { readModel } from "../../stub-kit/read-model.ts";
import { embeddingVector } from "../../stub-kit/embedding-vector.ts";
import { withoutMarkers } from "../../stub-kit/markers.ts";
import { countField, isJsonObject, type JsonObject, listField } from "../../stub-kit/json-fields.ts";
import { bearerKey, openAiErrorBody, RequestRefused } from "../../stub-kit/refusal.ts";
import { type Call, type JsonReply, LINES, type Reply, type StreamEvent } from "../../stub-kit/call.ts";
import { composeAnswer, demandedToolCall, fillerWord, type ToolCall } from "../../stub-kit/compose-answer.ts";
import { writeLogprobs, wantedByChat } from "../../protocols/openai/stub/logprobs.ts";
import { countChatPromptTokens, countInputTokens, inputTexts, promptText } from "../../stub-kit/prompt.ts";
import type { Stub } from "../../stub-kit/stub.ts";

const THOUGHT = "They want an answer.";
const dimensions = 768;
const createdAt = "2026-11-22T00:00:00.123456789Z";

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

interface Composed {
  readonly thinking: string;
  readonly pieces: readonly string[];
  readonly call: ToolCall | undefined;
  readonly finishReason: "stop" | "length" | null;
}

/** POST /api/chat: lines, unless `stream` is false. */
function chat(call: Call): Reply {
  const model = readModel(call);
  const { body, behaviour } = call;
  for (const message of listField(body, "messages")) checkMessage(message);
  const composed = compose(call);
  const head = { model, created_at: createdAt };
  const counted = () => countsOf(body, behaviour, composed);
  const last = { done: true, ...(composed.finishReason !== null && { done_reason: composed.finishReason }) };
  const write = (pieces: readonly string[]) => ({ logprobs: writeLogprobs(pieces, wantedByChat(body)) });
  const toJson = (): JsonReply => ({
    kind: "json",
    body: {
      ...head,
      ...(composed.call === undefined && write(composed.pieces)),
      message: {
        role: "assistant",
        content: composed.call === undefined ? composed.pieces.join("") : "",
        ...(composed.thinking !== "" && { thinking: composed.thinking }),
        ...toolCalls(composed.call),
      },
      ...last,
      ...counted(),
    },
    tokens: tokensOf(composed),
  });
  if (body["stream"] === false) return toJson();
  return { kind: "stream", framing: LINES, events: lines(call, composed, { head, last, counted, write }), toJson };
}

interface LineParts {
  readonly head: object;
  readonly last: object;
  readonly counted: () => object;
  readonly write: (pieces: readonly string[]) => object;
}

function* lines(
  { behaviour, settings }: Call,
  composed: Composed,
  { head, last, counted, write }: LineParts,
): Generator<StreamEvent> {
  const line = (
    message: object,
    part: StreamEvent["part"],
    tokens: number,
    rest: object = { done: false },
  ): StreamEvent => ({
    data: JSON.stringify({ ...head, message: { role: "assistant", content: "", ...message }, ...rest }),
    part,
    tokens,
  });
  if (composed.thinking !== "") yield line({ thinking: composed.thinking }, "opening", 0);
  if (composed.call !== undefined) yield line(toolCalls(composed.call), "piece", 1);
  else for (const content of composed.pieces) yield line({ content }, "piece", 1, { done: false, ...write([content]) });
  if (behaviour.kind === "endless") {
    for (let position = 0; ; position += 1) {
      const content =
        behaviour.chunkBytes === undefined
          ? fillerWord(position, settings.seed)
          : " ".padEnd(behaviour.chunkBytes, "x");
      yield line({ content }, "piece", 1);
    }
  }
  if (composed.finishReason !== null) yield line({}, "finish", 0, { ...last, ...counted() });
}

function compose({ id, body, behaviour, settings }: Call): Composed {
  const options = isJsonObject(body["options"]) ? body["options"] : {};
  const said = promptText(body);
  const call = demandedToolCall(body, withoutMarkers(said), id, behaviour);
  const thinking = body["think"] !== undefined && body["think"] !== false ? THOUGHT : "";
  const answer = composeAnswer(said, countField(options, "num_predict", 1), behaviour, settings.seed);
  const reason = answer.finishReason === "length" ? "length" : answer.finishReason === null ? null : "stop";
  return { thinking, pieces: answer.pieces, call, finishReason: call === undefined ? reason : "stop" };
}

function tokensOf({ pieces, call }: Composed): number {
  return call === undefined ? pieces.length : 1;
}

function countsOf(body: JsonObject, behaviour: Call["behaviour"], composed: Composed): JsonObject {
  const counted = { prompt_eval_count: countChatPromptTokens(body), eval_count: tokensOf(composed) };
  return { total_duration: 5_000_000, load_duration: 1_000_000, ...reportUsage(counted, behaviour) };
}

function toolCalls(call: ToolCall | undefined): JsonObject {
  if (call === undefined) return {};
  const parsed: unknown = JSON.parse(call.arguments);
  return { tool_calls: [{ function: { index: 0, name: call.name, arguments: parsed } }] };
}

function checkMessage(message: unknown): void {
  const wrong = (text: string) => new RequestRefused(400, openAiErrorBody(`json: cannot unmarshal ${text}`));
  if (!isJsonObject(message)) throw wrong("array into Go struct field ChatRequest.messages");
  if (typeof message["content"] !== "string")
    throw wrong("array into Go struct field ChatRequest.messages.content of type string");
  if (!["system", "user", "assistant", "tool"].includes(String(message["role"])))
    throw new RequestRefused(400, openAiErrorBody(`invalid role: ${String(message["role"])}`));
  for (const image of listField(message, "images")) {
    if (typeof image !== "string" || !/^[A-Za-z0-9+/]+=*$/.test(image)) throw wrong("illegal base64 data in images");
  }
  for (const call of listField(message, "tool_calls")) {
    const called = isJsonObject(call) ? call["function"] : undefined;
    if (!isJsonObject(called) || !isJsonObject(called["arguments"]))
      throw wrong("string into Go struct field ToolCallFunction.messages.tool_calls.function.arguments");
  }
}

function embed(call: Call): Reply {
  const model = readModel(call);
  const { body, behaviour, settings } = call;
  const length = countField(body, "dimensions", 1) ?? dimensions;
  const embeddings = inputTexts(body["input"]).map((text) => Array.from(embeddingVector(text, length, settings.seed)));
  const counted = reportUsage({ prompt_eval_count: countInputTokens(body["input"]) }, behaviour);
  return { kind: "json", body: { model, embeddings, total_duration: 5_000_000, ...counted }, tokens: 0 };
}

function listTags({ settings }: Call): Reply {
  const models = settings.models.map((name) => ({
    name,
    model: name,
    modified_at: createdAt,
    size: 1,
    digest: "0",
    details: {},
  }));
  return { kind: "json", body: { models }, tokens: 0 };
}
