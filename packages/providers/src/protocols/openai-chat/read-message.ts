import { type ChatMessage, nativeName, UntranslatableError } from "../../neutral/chat-request.ts";
import type { MessagePart, ToolResultPart } from "../../neutral/message-part.ts";
import { isRecord, type JsonRecord, recordOf, textOf } from "../../shared/json-fields.ts";
import { readContent, readThoughts, readToolCalls } from "./read-parts.ts";

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
      return { role: "user", name: "", parts: [toolResult("", value.content)] };
    default: {
      const role = `messages.${index}.role`;
      throw new UntranslatableError(role, `${role} must be system, developer, user, assistant or tool.`);
    }
  }
}

function readAssistantParts(message: JsonRecord): readonly MessagePart[] {
  const refusal = textOf(message.refusal);
  const thoughts = readThoughts(message);
  return [
    ...thoughts,
    ...readContent(message.content),
    ...(refusal === "" ? [] : [{ type: "refusal", text: refusal } as const]),
    ...readToolCalls(message, thoughts),
  ];
}

/** Names of fields without a neutral equivalent: audio of the assistant, and other media in tool results. */
export function lostOfMessages(messages: readonly unknown[]): readonly string[] {
  return messages.map(recordOf).flatMap((message) => {
    if (message.role === "assistant") return isRecord(message.audio) ? ["messages.audio"] : [];
    if (message.role !== "tool") return [];
    return readContent(message.content).flatMap((part) =>
      isShown(part) ? [] : [`messages.tool_result.${part.type === "native" ? nativeName(part.value) : part.type}`],
    );
  });
}

function isShown(part: MessagePart): part is ToolResultPart["content"][number] {
  return part.type === "text" || part.type === "image" || part.type === "file";
}

function toolResult(callId: string, content: unknown): ToolResultPart {
  return { type: "tool-result", callId, content: readContent(content).filter(isShown), isError: false };
}
