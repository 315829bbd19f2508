import { reportUsage } from "../../../stub-kit/report-usage.ts";
import { readModel } from "../../../stub-kit/read-model.ts";
import { embeddingVector } from "../../../stub-kit/embedding-vector.ts";
import { withoutMarkers } from "../../../stub-kit/markers.ts";
import { countField, isJsonObject, type JsonObject, listField } from "../../../stub-kit/json-fields.ts";
import { bearerKey, openAiErrorBody, RequestRefused } from "../../../stub-kit/refusal.ts";
import type { Call, JsonReply, Reply, StreamEvent } from "../../../stub-kit/call.ts";
import { checkChat, checkEmbed } from "./check-cohere.ts";
import {
  composeAnswer,
  demandedToolCall,
  fillerWord,
  splitArguments,
  type ToolCall,
} from "../../../stub-kit/compose-answer.ts";
import { writeCoherePiece } from "../../../protocols/openai/stub/logprobs.ts";
import { countChatPromptTokens, countInputTokens, inputTexts, promptText } from "../../../stub-kit/prompt.ts";
import { rank, readQuestion } from "../../../protocols/rerank/stub.ts";
import type { Stub } from "../../../stub-kit/stub.ts";

const THOUGHT = "They want an answer.";
const PLAN = "I will call a tool.";
/** Tokens that Cohere adds to every prompt: counted, but not billed. */
const PREAMBLE_TOKENS = 20;
const DEFAULT_DIMENSIONS = 1_536;

/** Version 2; version 1 lists the models. Source: https://docs.cohere.com/reference/about */
export const cohereStub: Stub = {
  apis: [
    {
      routes: {
        "POST /v2/chat": chat,
        "POST /v2/embed": embed,
        "POST /v2/rerank": rerank,
        "GET /v1/models": listModels,
      },
      readKey: ({ authorization }) => bearerKey(authorization),
      writeError: (_status, { error }) => ({ id: "6f1e3c5a-0000-4000-8000-000000000000", message: error.message }),
    },
  ],
};

type FinishReason = "COMPLETE" | "MAX_TOKENS" | "TOOL_CALL";

interface Composed {
  readonly id: string;
  readonly thinking: string;
  readonly pieces: readonly string[];
  readonly call: ToolCall | undefined;
  /** Undefined when the behaviour hides it. */
  readonly finishReason: FinishReason | undefined;
  readonly usage: JsonObject | undefined;
}

function chat(call: Call): Reply {
  readModel(call);
  checkChat(call.body);
  const composed = compose(call);
  const { id, finishReason: finish_reason, usage } = composed;
  const toJson = (): JsonReply => ({
    kind: "json",
    body: {
      id,
      finish_reason,
      message: { role: "assistant", ...messageOf(composed) },
      usage,
      ...(call.body["logprobs"] === true && { logprobs: composed.pieces.map(writeCoherePiece) }),
    },
    tokens: tokensOf(composed),
  });
  if (call.body["stream"] !== true) return toJson();
  return { kind: "stream", events: events(call, composed), ending: { data: "[DONE]" }, toJson };
}

function compose({ id, body, behaviour, settings }: Call): Composed {
  const said = promptText(body);
  const choice = body["tool_choice"];
  const asked = { ...body, tool_choice: typeof choice === "string" ? choice.toLowerCase() : choice };
  const call = demandedToolCall(asked, withoutMarkers(said), id, behaviour);
  const answer = composeAnswer(said, countField(body, "max_tokens", 1), behaviour, settings.seed);
  const reason = answer.finishReason === "length" ? "MAX_TOKENS" : "COMPLETE";
  const thinking = body["thinking"];
  const pieces = call === undefined ? answer.pieces : [];
  const written = call === undefined ? pieces.length : 1;
  return {
    id,
    thinking: isJsonObject(thinking) && thinking["type"] === "enabled" ? THOUGHT : "",
    pieces,
    call,
    finishReason: call !== undefined ? "TOOL_CALL" : answer.finishReason === null ? undefined : reason,
    usage: usageOf(countChatPromptTokens(body), written, behaviour),
  };
}

function usageOf(prompt: number, written: number, behaviour: Call["behaviour"]): JsonObject | undefined {
  const counted = {
    billed_units: { input_tokens: prompt, output_tokens: written },
    tokens: { input_tokens: prompt + PREAMBLE_TOKENS, output_tokens: written },
    cached_tokens: 0,
  };
  return reportUsage(counted, behaviour);
}

function tokensOf({ pieces, call }: Composed): number {
  return call === undefined ? pieces.length : 1;
}

function messageOf({ thinking, pieces, call }: Composed): JsonObject {
  const thought = thinking === "" ? [] : [{ type: "thinking", thinking }];
  if (call === undefined) return { content: [...thought, { type: "text", text: pieces.join("") }] };
  return { ...(thought.length > 0 && { content: thought }), tool_plan: PLAN, tool_calls: [writeCall(call)] };
}

function writeCall({ id, name, arguments: text }: ToolCall): JsonObject {
  return { id, type: "function", function: { name, arguments: text } };
}

function event(type: string, part: StreamEvent["part"], fields: JsonObject, tokens = 0): StreamEvent {
  return { name: type, data: JSON.stringify({ type, ...fields }), part, tokens };
}

const ofMessage = (message: JsonObject): JsonObject => ({ delta: { message } });

function* events({ body, behaviour, settings }: Call, composed: Composed): Generator<StreamEvent> {
  const { id, thinking, pieces, call } = composed;
  const empty = { role: "assistant", content: [], tool_plan: "", tool_calls: [], citations: [] };
  yield event("message-start", "opening", { id, ...ofMessage(empty) });
  if (thinking !== "") yield* thinkingBlock(thinking);
  if (call !== undefined) yield* callEvents(call);
  else {
    const index = thinking === "" ? 0 : 1;
    yield* textBlock(index, textPieces(pieces, behaviour, settings.seed), body["logprobs"] === true);
  }
  const { finishReason: finish_reason, usage } = composed;
  if (finish_reason !== undefined) yield event("message-end", "finish", { delta: { finish_reason, usage } });
}

function* textPieces(pieces: readonly string[], behaviour: Call["behaviour"], seed: number): Generator<string> {
  yield* pieces;
  if (behaviour.kind !== "endless") return;
  for (let position = 0; ; position += 1)
    yield behaviour.chunkBytes === undefined ? fillerWord(position, seed) : " ".padEnd(behaviour.chunkBytes, "x");
}

function startOf(index: number, type: "thinking" | "text"): StreamEvent {
  return event("content-start", "opening", { index, ...ofMessage({ content: { type, [type]: "" } }) });
}

function* thinkingBlock(thinking: string): Generator<StreamEvent> {
  yield startOf(0, "thinking");
  yield event("content-delta", "opening", { index: 0, ...ofMessage({ content: { thinking } }) });
  yield event("content-end", "finish", { index: 0 });
}

function* textBlock(index: number, pieces: Iterable<string>, tellsTokens: boolean): Generator<StreamEvent> {
  yield startOf(index, "text");
  for (const text of pieces) {
    const told = tellsTokens ? { logprobs: writeCoherePiece(text) } : {};
    yield event("content-delta", "piece", { index, ...ofMessage({ content: { text } }), ...told }, 1);
  }
  yield event("content-end", "finish", { index });
}

function* callEvents(call: ToolCall): Generator<StreamEvent> {
  const index = 0;
  yield event("tool-plan-delta", "opening", ofMessage({ tool_plan: PLAN }));
  const begun = ofMessage({ tool_calls: writeCall({ ...call, arguments: "" }) });
  yield event("tool-call-start", "piece", { index, ...begun }, 1);
  for (const text of splitArguments(call.arguments)) {
    yield event("tool-call-delta", "opening", {
      index,
      ...ofMessage({ tool_calls: { function: { arguments: text } } }),
    });
  }
  yield event("tool-call-end", "opening", { index });
}

function embed(call: Call): Reply {
  readModel(call);
  const { id, body, behaviour, settings } = call;
  checkEmbed(body);
  const length = countField(body, "output_dimension", 1) ?? DEFAULT_DIMENSIONS;
  const kept = inputTexts(listField(body, "texts"));
  const float = kept.map((text) => Array.from(embeddingVector(text, length, settings.seed)));
  const billed_units = reportUsage({ input_tokens: countInputTokens(body["texts"]) }, behaviour);
  const meta = { api_version: { version: "2" }, ...(billed_units && { billed_units }) };
  const answer = { id, response_type: "embeddings_by_type", embeddings: { float }, texts: kept, meta };
  return { kind: "json", body: answer, tokens: 0 };
}

/** GET /v1/models; one of them is for neither chats nor embeddings. */
function listModels({ settings }: Call): Reply {
  const named = (name: string, ...kinds: readonly string[]) => ({ name, is_deprecated: false, endpoints: kinds });
  const served = settings.models.map((name) => named(name, name.includes("embed") ? "embed" : "chat"));
  return { kind: "json", body: { models: [...served, named("rerank-v4.0-pro", "rerank")] }, tokens: 0 };
}

const DOCUMENTS_A_SEARCH = 100;

/** POST /v2/rerank, billed by searches: https://docs.cohere.com/reference/rerank */
function rerank(call: Call): Reply {
  const { id, body, behaviour } = call;
  readModel(call);
  const { texts, query } = readQuestion(body);
  if (listField(body, "documents").some((document) => typeof document !== "string"))
    throw new RequestRefused(400, openAiErrorBody("invalid request: documents must be strings"));
  const billed_units = reportUsage({ search_units: Math.ceil(texts.length / DOCUMENTS_A_SEARCH) }, behaviour);
  const meta = { api_version: { version: "2" }, ...(billed_units && { billed_units }) };
  const results = rank(query, texts, countField(body, "top_n", 1));
  return { kind: "json", body: { id, results, meta }, tokens: 0 };
}
