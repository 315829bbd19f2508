import type { ChatMessage, Drop } from "../../neutral/chat-request.ts";
import type { MessagePart } from "../../neutral/message-part.ts";
import type { JsonRecord } from "../../shared/json-fields.ts";
import { NEWER_VERSION } from "./usage.ts";
import { writeBlocks } from "./write-parts.ts";

/**
 * Writes `system` and `messages`. Leading system messages become `system`; in the older version later ones too.
 * Consecutive messages of the same role are joined.
 */
export function writeConversation(messages: readonly ChatMessage[], version: string, drop: Drop): JsonRecord {
  if (messages.some(({ name }) => name !== "")) drop("messages.name");
  const firstTurn = messages.findIndex(({ role }) => role !== "system");
  const isSystem = ({ role }: ChatMessage, index: number) =>
    role === "system" && (version !== NEWER_VERSION || index < firstTurn);
  // A conversation needs a message: instructions alone become the user's.
  if (firstTurn === -1) return { messages: writeTurns([{ role: "user", parts: allParts(messages) }], drop) };
  const system = messages.filter(isSystem).flatMap(({ parts }) => writeBlocks(parts, drop));
  const turns = joinTurns(messages.filter((message, index) => !isSystem(message, index)));
  return { system: writeSystem(system), messages: writeTurns(turns, drop) };
}

type Turn = Omit<ChatMessage, "name">;

function allParts(messages: readonly ChatMessage[]): readonly MessagePart[] {
  return messages.flatMap(({ parts }) => parts);
}

function writeTurns(turns: readonly Turn[], drop: Drop): readonly JsonRecord[] {
  return turns.flatMap(({ role, parts }) => {
    const content = writeBlocks(parts, drop);
    return content.length === 0 ? [] : [{ role, content: shorten(content) }];
  });
}

function writeSystem(blocks: readonly JsonRecord[]): unknown {
  return blocks.length === 0 ? undefined : shorten(blocks);
}

function shorten(blocks: readonly JsonRecord[]): unknown {
  const [only] = blocks;
  const isPlain = blocks.length === 1 && only?.type === "text" && Object.keys(only).length === 2;
  return isPlain ? only.text : blocks;
}

/** Joins neighbours. In a joined user message tool results are first, as Anthropic requires. */
function joinTurns(messages: readonly ChatMessage[]): readonly Turn[] {
  const turns: { role: ChatMessage["role"]; parts: MessagePart[] }[] = [];
  for (const { role, parts } of messages) {
    const last = turns.at(-1);
    if (last?.role !== role) turns.push({ role, parts: [...parts] });
    else for (const part of parts) last.parts.push(part);
  }
  return turns.map(({ role, parts }) => ({ role, parts: role === "user" ? resultsFirst(parts) : parts }));
}

function resultsFirst(parts: ChatMessage["parts"]): ChatMessage["parts"] {
  return [
    ...parts.filter((part) => part.type === "tool-result"),
    ...parts.filter((part) => part.type !== "tool-result"),
  ];
}
