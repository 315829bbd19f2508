import type { ChatMessage, Drop } from "./chat-request.ts";
import type { MessagePart } from "./message-part.ts";

export interface Turns {
  readonly system: string;
  readonly turns: readonly ChatMessage[];
}

/**
 * Joins messages of the same role, as some providers require user and model to alternate. Later system messages become
 * the user's. Names of speakers are dropped.
 */
export function takeTurns(messages: readonly ChatMessage[], drop: Drop): Turns {
  if (messages.some(({ name }) => name !== "")) drop("messages.name");
  const first = messages.findIndex(({ role }) => role !== "system");
  const opening = first === -1 ? messages : messages.slice(0, first);
  const turns: ChatMessage[] = [];
  for (const { role, parts } of first === -1 ? [] : messages.slice(first)) {
    const side = role === "assistant" ? "assistant" : "user";
    const last = turns.at(-1);
    if (last?.role === side) turns[turns.length - 1] = { ...last, parts: [...last.parts, ...parts] };
    else turns.push({ role: side, name: "", parts });
  }
  return { system: textOfParts(opening.flatMap(({ parts }) => parts)), turns };
}

export function textOfParts(parts: readonly MessagePart[]): string {
  const texts = parts.flatMap((part) => (part.type === "text" || part.type === "refusal" ? [part.text] : []));
  return texts.filter((text) => text !== "").join("\n\n");
}
