import { type Call, json, type Reply, type StreamEvent, streamEvent, streamOrJson } from "../../../stub-kit/call.ts";
import { composeReply, endlessPieces } from "../../../stub-kit/compose-answer.ts";
import { countField, isJsonObject, type JsonObject, objectField, objectsField } from "../../../stub-kit/json-fields.ts";
import { contentText, countPromptTokens } from "../../../stub-kit/prompt.ts";
import { readModel } from "../../../stub-kit/read-model.ts";
import { refuse } from "../../../stub-kit/refusal.ts";
import { cachedOf, usageField } from "../../../stub-kit/report-usage.ts";
import { signThought, THOUGHT } from "../../../stub-kit/thought.ts";
import { anthropicKey, readVersion } from "./anthropic-api.ts";
import { checkMessages } from "./check-messages.ts";

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
  const { body, behaviour, headers } = call;
  const version = readVersion(headers);
  checkMessages(body, version, String(headers["anthropic-beta"] ?? ""));
  const { blocks, stopReason: stop_reason } = composeBlocks(call);
  const outputTokens = blocks.reduce((sum, block) => sum + block.tokens, 0) + (behaviour.reasoningTokens ?? 0);
  const usage = usageOf(call, outputTokens);
  const details = version === "2026-10-21" ? { stop_details: null } : {};
  const head = {
    id: `msg_${call.id}${storeThread(call)}`,
    type: "message",
    role: "assistant",
    model,
    ...(version === "2026-10-21" && { container: null, diagnostics: null, ...details }),
  };
  const content = blocks.map(({ whole }) => whole);
  return streamOrJson(
    body["stream"] === true,
    () => json({ ...head, content, stop_reason, stop_sequence: null, ...usage }, outputTokens),
    {
      events: streamEvents(call, { head, blocks, stop: { stop_reason, stop_sequence: null, ...details }, usage }),
      ending: { name: "message_stop", data: '{"type":"message_stop"}' },
    },
  );
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
  return refuse("The thread was not found.", { status: 404, code: "thread_not_found" });
}

interface Streamed {
  readonly head: JsonObject;
  readonly blocks: readonly Block[];
  readonly stop: JsonObject;
  readonly usage: JsonObject;
}

function* streamEvents({ behaviour, settings }: Call, streamed: Streamed): Generator<StreamEvent> {
  const { head, blocks, stop, usage } = streamed;
  const begun = { ...objectField(usage, "usage"), output_tokens: 1 };
  const message = { ...head, content: [], stop_reason: null, stop_sequence: null, usage: begun };
  yield event("message_start", { message }, "opening");
  for (const [index, block] of blocks.entries()) {
    yield event("content_block_start", { index, content_block: block.start }, "opening");
    if (index === 0) yield event("ping", {}, "opening");
    for (const delta of block.deltas) yield event("content_block_delta", { index, delta }, "piece");
    if (behaviour.kind === "endless") {
      for (const text of endlessPieces(behaviour.chunkBytes, settings.seed))
        yield event("content_block_delta", { index, delta: { type: "text_delta", text } }, "piece");
    }
    yield event("content_block_stop", { index }, "finish");
  }
  yield event("message_delta", { delta: stop, ...usage }, "finish");
}

function event(type: string, fields: JsonObject, part: StreamEvent["part"]): StreamEvent {
  return streamEvent(part, { type, ...fields }, { name: type });
}

const STOP_REASONS = { stop: "end_turn", length: "max_tokens", tool_calls: "tool_use" } as const;

function composeBlocks(call: Call): { readonly blocks: readonly Block[]; readonly stopReason: string | null } {
  const { body } = call;
  const said = lastText(body);
  const limit = countField(body, "max_tokens", 1);
  const thoughts = thinks(body) ? [said.includes(HIDE_THOUGHT) ? hiddenThought() : openThought()] : [];
  const { toolCall: tool, pieces, finishReason } = composeReply(call, said, asOpenAi(body), limit);
  const block =
    tool === undefined ? textBlock(pieces) : toolBlock(`toolu_${call.id}`, tool.name, tool.arguments, pieces);
  return { blocks: [...thoughts, block], stopReason: finishReason === null ? null : STOP_REASONS[finishReason] };
}

function thinks(body: JsonObject): boolean {
  const { type } = objectField(body, "thinking");
  return type === "enabled" || type === "adaptive";
}

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
  const last = objectsField(body, "messages").findLast(({ role }) => role === "user") ?? {};
  const results = objectsField(last, "content").map((block) => contentText(block["content"]));
  return contentText(last["content"]) || results.join(" ");
}

function asOpenAi(body: JsonObject): JsonObject {
  const { type, name } = objectField(body, "tool_choice");
  const tools = objectsField(body, "tools");
  return {
    tools: tools.map((tool) => ({ function: { name: tool["name"], parameters: tool["input_schema"] } })),
    tool_choice: type === "tool" ? { function: { name } } : type === "any" ? "required" : type,
  };
}

export function countTokens({ body, headers }: Call): Reply {
  readVersion(headers);
  return json({ input_tokens: promptTokensOf(body) });
}

export function listClaudes({ settings: { models } }: Call): Reply {
  const about = { created_at: "2026-01-01T00:00:00Z" };
  const data = models.map((id) => ({ type: "model", id, display_name: id, ...about }));
  return json({ data, has_more: false, first_id: models[0] ?? null, last_id: models.at(-1) ?? null });
}

/** Uncached tokens count as plain input. A cache mark without `cachedTokens` writes the whole prompt to the cache. */
function usageOf({ body, behaviour }: Call, outputTokens: number): JsonObject {
  const prompt = promptTokensOf(body);
  const cached = cachedOf(prompt, behaviour);
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
  return usageField(counted, behaviour);
}

function promptTokensOf(body: JsonObject): number {
  const contents = objectsField(body, "messages").map(({ content }) => content);
  return countPromptTokens([body["system"], ...contents], contents.length);
}
