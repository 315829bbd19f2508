import type { ChatMessage } from "./chat-request.ts";
import type { MessagePart } from "./message-part.ts";

/**
 * Orders the conversation as chats with tool calls require: joins consecutive assistant messages, and puts the results
 * of their calls directly after them.
 */
export function orderTurns(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const ordered: ChatMessage[] = [];
  let results: { readonly at: number; readonly parts: readonly MessagePart[] } | undefined;
  for (const message of messages) {
    const last = ordered.at(-1);
    if (message.role === "assistant") {
      results = undefined;
      if (last?.role !== "assistant" || last.name !== message.name) ordered.push(message);
      else ordered[ordered.length - 1] = { ...last, parts: [...last.parts, ...message.parts] };
      continue;
    }
    const answered = message.parts.filter(({ type }) => type === "tool-result");
    if (answered.length === 0) {
      results ??= { at: ordered.length, parts: [] };
      ordered.push(message);
      continue;
    }
    results = placeResults(ordered, results, answered);
    const rest = message.parts.filter(({ type }) => type !== "tool-result");
    if (rest.length > 0) ordered.push({ ...message, parts: rest });
  }
  return ordered;
}

function placeResults(
  ordered: ChatMessage[],
  known: { readonly at: number; readonly parts: readonly MessagePart[] } | undefined,
  answered: readonly MessagePart[],
): { readonly at: number; readonly parts: readonly MessagePart[] } {
  const at = known?.at ?? ordered.length;
  const parts = [...(known?.parts ?? []), ...answered];
  const hasPlace = (known?.parts.length ?? 0) > 0;
  ordered.splice(at, hasPlace ? 1 : 0, { role: "user", name: "", parts });
  return { at, parts };
}
