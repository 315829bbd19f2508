import type { ChatMessage } from "../chat-request.ts";
import type { MessagePart } from "../message-part.ts";

/**
 * Makes the ids of calls unique, because callers may omit or repeat them. A result belongs to the first unanswered
 * call, of its id if it has one.
 */
export function pairCallIds(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  if (!needsIds(messages)) return messages;
  const pairs = new CallPairs();
  return messages.map((message) => ({ ...message, parts: message.parts.map((part) => pairs.write(part)) }));
}

function needsIds(messages: readonly ChatMessage[]): boolean {
  const seen = new Set([""]);
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type === "tool-result" && part.callId === "") return true;
      if (part.type !== "tool-call") continue;
      if (seen.has(part.id)) return true;
      seen.add(part.id);
    }
  }
  return false;
}

class CallPairs {
  readonly #used = new Set<string>();
  readonly #open: { readonly given: string; readonly id: string }[] = [];

  write(part: MessagePart): MessagePart {
    if (part.type === "tool-call") return { ...part, id: this.#idOfCall(part.id) };
    return part.type === "tool-result" ? { ...part, callId: this.#idOfResult(part.callId) } : part;
  }

  #idOfCall(given: string): string {
    let id = given;
    for (let count = this.#used.size; id === "" || this.#used.has(id); count += 1) id = `${given || "call"}_${count}`;
    this.#used.add(id);
    this.#open.push({ given, id });
    return id;
  }

  #idOfResult(given: string): string {
    const index = this.#open.findIndex((call) => given === "" || call.given === given);
    const [call] = index === -1 ? [] : this.#open.splice(index, 1);
    return call?.id ?? given;
  }
}
