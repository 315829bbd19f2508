import { reportUsage } from "../../../stub-kit/report-usage.ts";
import { readModel } from "../../../stub-kit/read-model.ts";
import { signThought } from "../../../stub-kit/sign-thought.ts";
import { withoutMarkers } from "../../../stub-kit/markers.ts";
import type { Behaviour } from "../../../stub-kit/behaviour.ts";
import { countField, isJsonObject, type JsonObject, listField } from "../../../stub-kit/json-fields.ts";
import type { Call, JsonReply, Reply, StreamEvent } from "../../../stub-kit/call.ts";
import { openAiErrorBody, RequestRefused } from "../../../stub-kit/refusal.ts";
import { anthropicKey, readVersion } from "./anthropic-api.ts";
import { checkMessages } from "./check-messages.ts";
import {
  composeAnswer,
  demandedToolCall,
  fillerWord,
  limitAnswer,
  splitArguments,
} from "../../../stub-kit/compose-answer.ts";
import { contentText, countWords } from "../../../stub-kit/prompt.ts";

/** Documented trigger of a hidden thought. */
const HIDE_THOUGHT =
  "ANTHROPIC_MAGIC_STRING_TRIGGER_REDACTED_THINKING_46C9A13E193C177646C7398A98432ECCCE4C1253D5E2D82641AC0E52CC2876CB";

interface Block {
  readonly start: JsonObject;
  readonly deltas: readonly JsonObject[];
  readonly whole: JsonObject;
  readonly tokens: number;
}

export function messages(call: Call): Reply {
  const model = readModel(call);
  const { body, behaviour } = call;
  const version = readVersion(call.headers);
  checkMessages(body, version, String(call.headers["anthropic-beta"] ?? ""));
  const { blocks, stopReason } = composeBlocks(call);
  const outputTokens = blocks.reduce((sum, block) => sum + block.tokens, 0) + (behaviour.reasoningTokens ?? 0);
  const usage = usageOf(body, behaviour, outputTokens);
  const isNew = version === "2026-10-21";
  const head = {
    id: `msg_${call.id}${storeThread(call)}`,
    type: "message",
    role: "assistant",
    model,
    ...(isNew && { container: null, diagnostics: null, stop_details: null }),
  };
  const stop = { stop_reason: stopReason, stop_sequence: null };
  const content = blocks.map(({ whole }) => whole);
  const toJson = (): JsonReply => ({
    kind: "json",
    body: { ...head, content, ...stop, ...(usage !== undefined && { usage }) },
    tokens: outputTokens,
  });
  if (body["stream"] !== true) return toJson();
  const events = streamEvents(call, { head, blocks, stop: { ...stop, ...(isNew && { stop_details: null }) }, usage });
  return { kind: "stream", events, ending: { name: "message_stop", data: '{"type":"message_stop"}' }, toJson };
}

/**
 * Suffix of the answer's id if the account stores the conversation. Throws RequestRefused (404) for a thread of
 * another account.
 */
function storeThread({ body, headers }: Call): string {
  const { thread } = body;
  if (!isJsonObject(thread)) return "";
  const account = signThought(anthropicKey(headers) ?? "").replace(/[^a-z0-9]/gi, "");
  const earlier = thread["previous_message_id"];
  if (earlier === undefined || (typeof earlier === "string" && earlier.endsWith(account))) return account;
  throw new RequestRefused(404, openAiErrorBody("The thread was not found.", { code: "thread_not_found" }));
}

interface Streamed {
  readonly head: JsonObject;
  readonly blocks: readonly Block[];
  readonly stop: JsonObject;
  readonly usage: JsonObject | undefined;
}

function* streamEvents(call: Call, { head, blocks, stop, usage }: Streamed): Generator<StreamEvent> {
  const begun = { ...usage, output_tokens: 1 };
  const message = { ...head, content: [], stop_reason: null, stop_sequence: null, usage: begun };
  yield event("message_start", { message }, "opening");
  for (const [index, block] of blocks.entries()) {
    yield event("content_block_start", { index, content_block: block.start }, "opening");
    if (index === 0) yield event("ping", {}, "opening");
    for (const delta of block.deltas) yield event("content_block_delta", { index, delta }, "piece", 1);
    if (call.behaviour.kind === "endless") yield* endlessDeltas(index, call);
    yield event("content_block_stop", { index }, "finish");
  }
  const used = usage && { ...usage };
  yield event("message_delta", { delta: stop, ...(used && { usage: used }) }, "finish");
}

function* endlessDeltas(index: number, { behaviour, settings }: Call): Generator<StreamEvent> {
  const length = behaviour.kind === "endless" ? behaviour.chunkBytes : undefined;
  for (let position = 0; ; position += 1) {
    const text = length === undefined ? fillerWord(position, settings.seed) : " ".padEnd(length, "x");
    yield event("content_block_delta", { index, delta: { type: "text_delta", text } }, "piece", 1);
  }
}

function event(type: string, fields: JsonObject, part: StreamEvent["part"], tokens = 0): StreamEvent {
  return { name: type, data: JSON.stringify({ type, ...fields }), part, tokens };
}

function composeBlocks(call: Call): { readonly blocks: readonly Block[]; readonly stopReason: string | null } {
  const { body, behaviour, settings } = call;
  const said = lastText(body);
  const limit = countField(body, "max_tokens", 1);
  const tool = demandedToolCall(asOpenAi(body), withoutMarkers(said), call.id, behaviour);
  const thoughts = thinks(body) ? [said.includes(HIDE_THOUGHT) ? hiddenThought() : openThought()] : [];
  if (tool === undefined) {
    const { pieces, finishReason } = composeAnswer(said, limit, behaviour, settings.seed);
    const stopReason = finishReason === null ? null : finishReason === "length" ? "max_tokens" : "end_turn";
    return { blocks: [...thoughts, textBlock(pieces)], stopReason };
  }
  const { pieces, finishReason } = limitAnswer(splitArguments(tool.arguments), "tool_calls", limit, behaviour);
  const used = toolBlock(`toolu_${call.id}`, tool.name, tool.arguments, pieces);
  const stopReason = finishReason === null ? null : finishReason === "length" ? "max_tokens" : "tool_use";
  return { blocks: [...thoughts, used], stopReason };
}

function thinks(body: JsonObject): boolean {
  const thinking = body["thinking"];
  return isJsonObject(thinking) && (thinking["type"] === "enabled" || thinking["type"] === "adaptive");
}

const THOUGHT = "They want an answer.";

function openThought(): Block {
  const signature = signThought(THOUGHT);
  const words = THOUGHT.split(/(?= )/);
  return {
    start: { type: "thinking", thinking: "", signature: "" },
    deltas: [
      ...words.map((thinking) => ({ type: "thinking_delta", thinking })),
      { type: "signature_delta", signature },
    ],
    whole: { type: "thinking", thinking: THOUGHT, signature },
    tokens: words.length,
  };
}

function hiddenThought(): Block {
  const whole = { type: "redacted_thinking", data: signThought("hidden") };
  return { start: whole, deltas: [], whole, tokens: 1 };
}

function textBlock(pieces: readonly string[]): Block {
  return {
    start: { type: "text", text: "" },
    deltas: pieces.map((text) => ({ type: "text_delta", text })),
    whole: { type: "text", text: pieces.join("") },
    tokens: pieces.length,
  };
}

function toolBlock(id: string, name: string, input: string, pieces: readonly string[]): Block {
  const whole: JsonObject = { type: "tool_use", id, name, input: JSON.parse(input) };
  return {
    start: { type: "tool_use", id, name, input: {} },
    deltas: pieces.map((partial_json) => ({ type: "input_json_delta", partial_json })),
    whole,
    tokens: pieces.length,
  };
}

function lastText(body: JsonObject): string {
  const last = listField(body, "messages").findLast((message) => isJsonObject(message) && message["role"] === "user");
  if (!isJsonObject(last)) return "";
  const { content } = last;
  const results = listField(last, "content").flatMap((block) =>
    isJsonObject(block) ? [contentText(block["content"])] : [],
  );
  return contentText(content) || results.join(" ");
}

function asOpenAi(body: JsonObject): JsonObject {
  const choice = isJsonObject(body["tool_choice"]) ? body["tool_choice"] : {};
  const named = choice["type"] === "tool" ? { function: { name: choice["name"] } } : choice["type"];
  return {
    tools: listField(body, "tools").flatMap((tool) =>
      isJsonObject(tool) ? [{ function: { name: tool["name"], parameters: tool["input_schema"] } }] : [],
    ),
    tool_choice: named === "any" ? "required" : named,
  };
}

export function countTokens({ body, headers }: Call): Reply {
  readVersion(headers);
  return { kind: "json", body: { input_tokens: countPromptTokens(body) }, tokens: 0 };
}

export function listClaudes({ settings }: Call): Reply {
  const data = settings.models.map((id) => ({
    type: "model",
    id,
    display_name: id,
    created_at: "2026-01-01T00:00:00Z",
  }));
  const body = { data, has_more: false, first_id: settings.models[0] ?? null, last_id: settings.models.at(-1) ?? null };
  return { kind: "json", body, tokens: 0 };
}

/** Uncached tokens count as plain input. A cache mark without `cachedTokens` writes the whole prompt to the cache. */
function usageOf(body: JsonObject, behaviour: Behaviour, outputTokens: number): JsonObject | undefined {
  const prompt = countPromptTokens(body);
  const cached = Math.min(behaviour.cachedTokens ?? 0, prompt);
  const text = JSON.stringify(body);
  const written = text.includes('"cache_control"') && cached === 0 ? prompt : 0;
  const isLong = text.includes('"ttl":"1h"');
  const counted = {
    input_tokens: prompt - cached - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cached,
    cache_creation: {
      ephemeral_5m_input_tokens: isLong ? 0 : written,
      ephemeral_1h_input_tokens: isLong ? written : 0,
    },
    output_tokens: outputTokens,
    service_tier: "standard",
  };
  return reportUsage(counted, behaviour);
}

const tokensPerMessage = 3;
const tokensPerImage = 85;

/** One for each word, 3 for each message and 85 for each image. */
function countPromptTokens(body: JsonObject): number {
  const messagesOf = listField(body, "messages").filter(isJsonObject);
  const contents = [body["system"], ...messagesOf.map((message) => message["content"])];
  return contents.reduce<number>((sum, content) => sum + countContent(content), messagesOf.length * tokensPerMessage);
}

function countContent(content: unknown): number {
  const images = Array.isArray(content)
    ? content.filter((block) => isJsonObject(block) && block["type"] === "image").length
    : 0;
  return countWords(contentText(content)) + images * tokensPerImage;
}
