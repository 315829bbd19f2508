import type { ChatRequest, Drop } from "../../neutral/chat-request.ts";
import type { MessagePart, ToolResultPart } from "../../neutral/message-part.ts";
import { orderTurns } from "../../neutral/order-turns.ts";
import { FIELD, isNamed, isProof, signatureOf } from "../../neutral/signature.ts";
import { type JsonRecord, textOf } from "../../shared/json-fields.ts";
import type { OpenAiChatVariant } from "./openai-chat-variant.ts";
import { detailsForOpenRouter } from "./reasoning-details.ts";
import { writeCalls, writeParts } from "./write-parts.ts";

/** Tool results become messages of their own, before the rest of the user's message. */
export function writeMessages(
  { messages, model }: Pick<ChatRequest, "messages" | "model">,
  variant: OpenAiChatVariant,
  drop: Drop,
): readonly JsonRecord[] {
  const thoughts = typeof variant.thoughts === "function" ? variant.thoughts(model) : variant.thoughts;
  return orderTurns(messages).flatMap((message) => {
    const named = message.name === "" ? {} : { name: message.name };
    switch (message.role) {
      case "system":
        return [{ role: "system", ...named, content: writeContent(message.parts, variant, drop) }];
      case "assistant": {
        const said = writeAssistant(message.parts, { ...variant, thoughts }, drop);
        return said === undefined ? [] : [{ role: "assistant", ...named, ...said }];
      }
      case "user":
        return writeUserTurn(message.parts, named, variant, drop);
    }
  });
}

/** Plain texts as one string, which many servers require; anything else as a list of parts. */
function writeContent(parts: readonly MessagePart[], variant: OpenAiChatVariant, drop: Drop): unknown {
  const written = writeParts(parts, variant, drop);
  const isPlain = written.every((part) => part.type === "text" && part.cache_control === undefined);
  return isPlain ? written.map(({ text }) => textOf(text)).join("\n\n") : written;
}

function writeUserTurn(
  parts: readonly MessagePart[],
  named: JsonRecord,
  variant: OpenAiChatVariant,
  drop: Drop,
): readonly JsonRecord[] {
  const results = parts.filter((part) => part.type === "tool-result");
  const said = parts.filter((part) => part.type !== "tool-result");
  // Tool messages only hold text, so other media follow in a user message.
  const shown = results.flatMap(({ content }) => content.filter((part) => part.type !== "text"));
  const rest = [...shown, ...said];
  return [
    ...results.map((result) => writeToolResult(result, variant, drop)),
    ...writeUser(rest, results.length > 0, named, variant, drop),
  ];
}

/** Drops a message if all of its parts are dropped. A message that the caller sent empty stays. */
function writeUser(
  parts: readonly MessagePart[],
  hasResults: boolean,
  named: JsonRecord,
  variant: OpenAiChatVariant,
  drop: Drop,
): readonly JsonRecord[] {
  const content = writeContent(parts, variant, drop);
  const isLeftOut = parts.length > 0 ? content === "" && parts.every(({ type }) => type !== "text") : hasResults;
  return isLeftOut ? [] : [{ role: "user", ...named, content }];
}

function writeToolResult(result: ToolResultPart, variant: OpenAiChatVariant, drop: Drop): JsonRecord {
  if (result.isError) drop("messages.tool_result.is_error");
  const texts = result.content.filter((part) => part.type === "text");
  const hasMark = result.cache !== undefined && texts.length > 0;
  const marked = hasMark
    ? texts.map((part, index) => (index < texts.length - 1 ? part : { ...part, cache: result.cache }))
    : texts;
  return { role: "tool", tool_call_id: result.callId, content: writeContent(marked, variant, drop) };
}

const TEXT_FIELDS: ReadonlySet<unknown> = new Set(["text", "either"]);
const REASONING_FIELDS: ReadonlySet<unknown> = new Set(["reasoning", "either"]);

/** Returns undefined for an empty message, which several providers refuse. */
function writeAssistant(parts: readonly MessagePart[], variant: OpenAiChatVariant, drop: Drop): JsonRecord | undefined {
  const calls = writeCalls(parts, variant.thoughts === "google");
  const refusal = parts.flatMap((part) => (part.type === "refusal" ? [part.text] : [])).join("");
  const own = fieldOfOrigin(parts, variant);
  if (own !== undefined) return writeAssistant(parts, { ...variant, origin: "", thoughts: own }, drop);
  const shown = parts.filter(isShownThought);
  // Such servers sign nothing: a signed thought is another provider's, and OpenAI refuses messages with thoughts.
  const thoughts = variant.thoughts === "either" ? shown.filter(isUnsigned) : shown;
  if (thoughts.length < shown.length || (shown.length > 0 && variant.thoughts === "dropped")) drop("messages.thinking");
  const details = variant.thoughts === "details" ? detailsForOpenRouter(parts) : [];
  const content = writeParts(parts, variant, drop);
  const thought = textOfThoughts(thoughts);
  const hasContent =
    content.some((part) => part.type !== "text" || part.text !== "") ||
    (thought !== "" && variant.thoughts === "parts");
  if (!hasContent && calls.length === 0 && refusal === "") return undefined;
  return {
    content: hasContent ? writeAssistantContent(parts, thoughts, variant, drop) : null,
    ...(refusal !== "" && { refusal }),
    ...(thought !== "" && TEXT_FIELDS.has(variant.thoughts) && { reasoning_content: thought }),
    ...(thought !== "" && REASONING_FIELDS.has(variant.thoughts) && { reasoning: thought }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function writeAssistantContent(
  parts: readonly MessagePart[],
  thoughts: readonly MessagePart[],
  variant: OpenAiChatVariant,
  drop: Drop,
): unknown {
  const written =
    variant.thoughts === "parts"
      ? thoughts.flatMap((part) => (part.type === "reasoning" && part.text !== "" ? [part] : []))
      : [];
  if (written.length === 0) return writeContent(parts, variant, drop);
  return [
    ...written.map(({ text }) => ({ type: "thinking", thinking: [{ type: "text", text }] })),
    ...writeParts(parts, variant, drop),
  ];
}

/** True for a thought that is readable by providers other than its signer. */
function isShownThought(part: MessagePart): boolean {
  if (part.type === "hidden-reasoning") return !isNamed(part.data);
  return part.type === "reasoning" && (part.text !== "" || !isNamed(part.signature));
}

function isUnsigned(part: MessagePart): boolean {
  return part.type === "reasoning" && !isProof(part.signature);
}

function fieldOfOrigin(
  parts: readonly MessagePart[],
  { origin, thoughts }: OpenAiChatVariant,
): "text" | "reasoning" | undefined {
  if (origin === "" || thoughts === "details" || thoughts === "google") return undefined;
  const fields = parts.flatMap((part) =>
    part.type === "reasoning" && part.text !== "" ? [signatureOf(FIELD, part.signature)] : [],
  );
  if (fields.includes(`${origin} reasoning_content`)) return "text";
  return fields.includes(`${origin} reasoning`) ? "reasoning" : undefined;
}

function textOfThoughts(thoughts: readonly MessagePart[]): string {
  return thoughts.map((part) => (part.type === "reasoning" ? part.text : "")).join("");
}
