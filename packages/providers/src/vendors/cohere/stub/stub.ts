import { writeCoherePiece } from "../../../protocols/openai/stub/logprobs.ts";
import { rank, readQuestion } from "../../../stub-kit/rerank.ts";
import { type Call, json, type Reply, type StreamEvent, streamEvent } from "../../../stub-kit/call.ts";
import { type ChatAnswer, chatEndpoint } from "../../../stub-kit/chat-endpoint.ts";
import { piecesOf, splitArguments, type ToolCall } from "../../../stub-kit/compose-answer.ts";
import { vectorsOf } from "../../../stub-kit/embedding-vector.ts";
import { countField, type JsonObject, listField, objectField } from "../../../stub-kit/json-fields.ts";
import { countChatPromptTokens, countInputTokens, inputTexts } from "../../../stub-kit/prompt.ts";
import { readModel } from "../../../stub-kit/read-model.ts";
import { refuse } from "../../../stub-kit/refusal.ts";
import { usageField } from "../../../stub-kit/report-usage.ts";
import type { Stub } from "../../../stub-kit/stub.ts";
import { THOUGHT } from "../../../stub-kit/thought.ts";
import { checkChat, checkEmbed } from "./check-cohere.ts";

const PLAN = "I will call a tool.";
/** Tokens that Cohere adds to every prompt: counted, but not billed. */
const PREAMBLE_TOKENS = 20;
const DEFAULT_DIMENSIONS = 1_536;

const chat = chatEndpoint({
  check(call) {
    readModel(call);
    checkChat(call.body);
  },
  asked: (body) => ({
    ...body,
    tool_choice: typeof body["tool_choice"] === "string" ? body["tool_choice"].toLowerCase() : body["tool_choice"],
  }),
  limit: (body) => countField(body, "max_tokens", 1),
  reasons: { stop: "COMPLETE", length: "MAX_TOKENS", tool_calls: "TOOL_CALL" },
  usage({ body }, output_tokens) {
    const prompt = countChatPromptTokens(body);
    const tokens = { input_tokens: prompt + PREAMBLE_TOKENS, output_tokens };
    return { billed_units: { input_tokens: prompt, output_tokens }, tokens, cached_tokens: 0 };
  },
  document: (answer) => ({
    id: answer.call.id,
    finish_reason: answer.finish,
    message: { role: "assistant", ...messageOf(answer) },
    usage: answer.usage,
    ...(answer.call.body["logprobs"] === true && { logprobs: answer.pieces.map(writeCoherePiece) }),
  }),
  ending: { data: "[DONE]" },
  events,
});

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
      writeError: (_status, { error }) => ({ id: "6f1e3c5a-0000-4000-8000-000000000000", message: error.message }),
    },
  ],
};

function thinks({ call }: ChatAnswer): boolean {
  return objectField(call.body, "thinking")["type"] === "enabled";
}

function messageOf(answer: ChatAnswer): JsonObject {
  const thought = thinks(answer) ? [{ type: "thinking", thinking: THOUGHT }] : [];
  const { text, toolCall } = answer;
  if (toolCall === undefined) return { content: [...thought, { type: "text", text }] };
  return { ...(thought.length > 0 && { content: thought }), tool_plan: PLAN, tool_calls: [writeCall(toolCall)] };
}

function writeCall({ id, name, arguments: text }: ToolCall): JsonObject {
  return { id, type: "function", function: { name, arguments: text } };
}

function event(type: string, part: StreamEvent["part"], fields: JsonObject, message?: JsonObject): StreamEvent {
  return streamEvent(part, { type, ...fields, ...(message && { delta: { message } }) }, { name: type });
}

function* events(answer: ChatAnswer): Generator<StreamEvent> {
  const { call, pieces, toolCall, finish: finish_reason, usage } = answer;
  const empty = { role: "assistant", content: [], tool_plan: "", tool_calls: [], citations: [] };
  yield event("message-start", "opening", { id: call.id }, empty);
  const begin = (index: number, type: string) =>
    event("content-start", "opening", { index }, { content: { type, [type]: "" } });
  if (thinks(answer)) {
    yield begin(0, "thinking");
    yield event("content-delta", "opening", { index: 0 }, { content: { thinking: THOUGHT } });
    yield event("content-end", "finish", { index: 0 });
  }
  if (toolCall !== undefined) yield* callEvents(toolCall);
  else {
    const index = thinks(answer) ? 1 : 0;
    yield begin(index, "text");
    for (const text of piecesOf(call, pieces)) {
      const logprobs = call.body["logprobs"] === true ? { logprobs: writeCoherePiece(text) } : {};
      yield event("content-delta", "piece", { index, delta: { message: { content: { text } } }, ...logprobs });
    }
    yield event("content-end", "finish", { index });
  }
  if (finish_reason !== undefined) yield event("message-end", "finish", { delta: { finish_reason, usage } });
}

function* callEvents(call: ToolCall): Generator<StreamEvent> {
  const index = 0;
  yield event("tool-plan-delta", "opening", {}, { tool_plan: PLAN });
  yield event("tool-call-start", "piece", { index }, { tool_calls: writeCall({ ...call, arguments: "" }) });
  for (const text of splitArguments(call.arguments))
    yield event("tool-call-delta", "opening", { index }, { tool_calls: { function: { arguments: text } } });
  yield event("tool-call-end", "opening", { index });
}

function metaOf(billed: JsonObject, { behaviour }: Call): object {
  return { api_version: { version: "2" }, ...usageField(billed, behaviour, "billed_units") };
}

function embed(call: Call): Reply {
  readModel(call);
  const { id, body } = call;
  checkEmbed(body);
  const texts = inputTexts(listField(body, "texts"));
  const float = vectorsOf(call, texts, countField(body, "output_dimension", 1) ?? DEFAULT_DIMENSIONS);
  const meta = metaOf({ input_tokens: countInputTokens(body["texts"]) }, call);
  return json({ id, response_type: "embeddings_by_type", embeddings: { float }, texts, meta });
}

/** One of the models is for neither chats nor embeddings. */
function listModels({ settings }: Call): Reply {
  const named = (name: string, ...kinds: readonly string[]) => ({ name, is_deprecated: false, endpoints: kinds });
  const served = settings.models.map((name) => named(name, name.includes("embed") ? "embed" : "chat"));
  return json({ models: [...served, named("rerank-v4.0-pro", "rerank")] });
}

const DOCUMENTS_A_SEARCH = 100;

/** Billed by searches: https://docs.cohere.com/reference/rerank */
function rerank(call: Call): Reply {
  const { id, body } = call;
  readModel(call);
  const { texts, query } = readQuestion(body);
  if (listField(body, "documents").some((document) => typeof document !== "string"))
    refuse("invalid request: documents must be strings");
  const meta = metaOf({ search_units: Math.ceil(texts.length / DOCUMENTS_A_SEARCH) }, call);
  return json({ id, results: rank(query, texts, countField(body, "top_n", 1)), meta });
}
