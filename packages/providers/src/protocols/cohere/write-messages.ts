import { type ChatMessage, type Drop, nativeName, UntranslatableError } from "../../neutral/chat-request.ts";
import type { ImagePart, MessagePart, ToolResultPart } from "../../neutral/message-part.ts";
import { orderTurns } from "../../neutral/order-turns.ts";
import type { JsonRecord } from "../../shared/json-fields.ts";

/**
 * Joins leading system messages, because Cohere takes only one; later ones become the user's. `thinks`: the model
 * accepts thoughts. Otherwise they become the plan before a call.
 */
export function writeMessages(messages: readonly ChatMessage[], thinks: boolean, drop: Drop): readonly JsonRecord[] {
  if (messages.some(({ name }) => name !== "")) drop("messages.name");
  const firstTurn = messages.findIndex(({ role }) => role !== "system");
  const turns = firstTurn === -1 ? [] : messages.slice(firstTurn);
  const system = (firstTurn === -1 ? messages : messages.slice(0, firstTurn)).flatMap(({ parts }) => parts);
  const instructions = textOf(system);
  return [
    ...(instructions === "" ? [] : [{ role: "system", content: instructions }]),
    ...orderTurns(turns).flatMap(({ role, parts }) =>
      role === "assistant" ? writeAssistant(parts, thinks, drop) : writeUser(parts, drop),
    ),
  ];
}

function textOf(parts: readonly MessagePart[]): string {
  return parts.flatMap((part) => (part.type === "text" || part.type === "refusal" ? [part.text] : [])).join("\n\n");
}

/** Cohere's tool results are text. Other media of a result follow in a user message. */
function writeUser(parts: readonly MessagePart[], drop: Drop): readonly JsonRecord[] {
  const results = parts.filter((part) => part.type === "tool-result");
  const shown = results.flatMap(({ content }) => content.filter((part) => part.type !== "text"));
  const said = [...shown, ...parts.filter((part) => part.type !== "tool-result")];
  const content = said.flatMap((part) => writeContent(part, drop));
  return [
    ...results.map((result) => writeResult(result, drop)),
    ...(said.length > 0 ? [{ role: "user", content }] : []),
  ];
}

function writeResult({ callId, content, isError }: ToolResultPart, drop: Drop): JsonRecord {
  if (isError) drop("messages.tool_result.is_error");
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return { role: "tool", tool_call_id: callId, content: texts.join("\n") };
}

function writeContent(part: MessagePart, drop: Drop): readonly JsonRecord[] {
  switch (part.type) {
    case "text":
    case "refusal":
      return part.text === "" ? [] : [{ type: "text", text: part.text }];
    case "image":
      return [writeImage(part)];
    default:
      drop(`messages.${part.type === "native" ? nativeName(part.value) : part.type}`);
      return [];
  }
}

const DETAILS: ReadonlySet<unknown> = new Set(["auto", "low", "high"]);

/** Cohere fetches URLs itself. Source: https://docs.cohere.com/docs/image-inputs */
function writeImage({ source, detail }: ImagePart): JsonRecord {
  if (source.type === "stored") {
    const message =
      "Pictures must be in the request or at an address: the provider of this model keeps no files of yours.";
    throw new UntranslatableError("messages", message);
  }
  const url = source.type === "url" ? source.url : `data:${source.mediaType};base64,${source.data}`;
  return { type: "image_url", image_url: { url, ...(DETAILS.has(detail) && { detail }) } };
}

/** Drops an empty message: Cohere refuses it. */
function writeAssistant(parts: readonly MessagePart[], thinks: boolean, drop: Drop): readonly JsonRecord[] {
  const thoughts = parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])).join("");
  const calls = parts.flatMap((part) => {
    if (part.type !== "tool-call") return [];
    return [{ id: part.id, type: "function", function: { name: part.name, arguments: part.input || "{}" } }];
  });
  const text = textOf(parts);
  for (const part of parts) if (!WRITTEN.has(part.type)) drop(`messages.${part.type}`);
  if (thoughts !== "" && !thinks && calls.length === 0) drop("messages.reasoning");
  const content = [
    ...(thoughts !== "" && thinks ? [{ type: "thinking", thinking: thoughts }] : []),
    ...(text === "" ? [] : [{ type: "text", text }]),
  ];
  if (calls.length === 0 && text === "") return [];
  return [
    {
      role: "assistant",
      ...(content.length > 0 && { content }),
      ...(calls.length > 0 && { tool_calls: calls }),
      ...(calls.length > 0 && thoughts !== "" && !thinks && { tool_plan: thoughts }),
    },
  ];
}

const WRITTEN: ReadonlySet<MessagePart["type"]> = new Set(["text", "refusal", "reasoning", "tool-call"]);
