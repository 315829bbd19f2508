import { type Drop, UntranslatableError } from "./chat-request.ts";
import type { MessagePart } from "./message-part.ts";

const MEDIA: ReadonlySet<MessagePart["type"]> = new Set(["image", "audio", "file"]);

/**
 * Throws UntranslatableError for pictures, recordings and documents, tool results included, for models that read text
 * only.
 */
export function refuseMedia(parts: readonly MessagePart[]): void {
  for (const part of parts) {
    if (part.type === "tool-result") refuseMedia(part.content);
    if (!MEDIA.has(part.type)) continue;
    const message =
      "The provider of this model reads texts alone: leave out pictures, recordings and documents, or ask a model that takes them.";
    throw new UntranslatableError("messages", message);
  }
}

const FIELDS: Partial<Record<MessagePart["type"], string>> = {
  "tool-call": "tool_calls",
  "tool-result": "tool_results",
};

export function dropPart({ type }: MessagePart, drop: Drop): void {
  drop(`messages.${FIELDS[type] ?? type}`);
}
