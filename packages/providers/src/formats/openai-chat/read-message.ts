import { type ChatMessage, UntranslatableError } from "../../neutral/chat-request.ts";
import type { MessagePart, ToolResultPart } from "../../neutral/message-part.ts";
import { isRecord, type JsonRecord, textOf } from "../../shared/json-fields.ts";
import { readContent, readThoughts, readToolCalls } from "./read-parts.ts";

/** Reads one message. Throws UntranslatableError for what is none. */
export function readMessage(value: unknown, index: number): ChatMessage {
  if (!isRecord(value)) throw new UntranslatableError(`messages.${index}`, `messages.${index} must be an object.`);
  const name = textOf(value.name);
  switch (value.role) {
    case "system":
    case "developer":
      return { role: "system", name, parts: readContent(value.content) };
    case "user":
      return { role: "user", name, parts: readContent(value.content) };
    case "assistant":
      return { role: "assistant", name, parts: readAssistantParts(value) };
    case "tool":
      return { role: "user", name: "", parts: [toolResult(textOf(value.tool_call_id), value.content)] };
    case "function":
      return { role: "user", name: "", parts: [toolResult(`call_${name}`, value.content)] };
    default: {
      const role = `messages.${index}.role`;
      throw new UntranslatableError(role, `${role} must be system, developer, user, assistant or tool.`);
    }
  }
}

function readAssistantParts(message: JsonRecord): readonly MessagePart[] {
  const refusal = textOf(message.refusal);
  return [
    ...readThoughts(message),
    ...readContent(message.content),
    ...(refusal === "" ? [] : [{ type: "refusal", text: refusal } as const]),
    ...readToolCalls(message),
  ];
}

function toolResult(callId: string, content: unknown): ToolResultPart {
  const parts = readContent(content).filter(
    (part) => part.type === "text" || part.type === "image" || part.type === "file",
  );
  return { type: "tool-result", callId, content: parts, isError: false };
}
