import type { ChatMessage, Drop } from "./chat-request.ts";
import type { MessagePart } from "./message-part.ts";

/** A conversation in which user and model take turns, and what the system says before it. */
export interface Turns {
  /** The system messages in front, as one text; empty without. */
  readonly system: string;
  /** None of two that follow each other is of the same side, and none is the system's. */
  readonly turns: readonly ChatMessage[];
}

/**
 * Has user and model take turns, as some providers insist: what one side says in several messages is one, and system messages that come later are what
 * the user says. Names of those who speak are noted.
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

/** What parts say as one text, with empty lines between them. */
export function textOfParts(parts: readonly MessagePart[]): string {
  const texts = parts.flatMap((part) => (part.type === "text" || part.type === "refusal" ? [part.text] : []));
  return texts.filter((text) => text !== "").join("\n\n");
}
