import type { ChatMessage } from "../../neutral/chat-request.ts";
import { UntranslatableError } from "../../neutral/chat-request.ts";
import {
  type FilePart,
  type ImagePart,
  type MessagePart,
  readDataUrl,
  type TextPart,
  type ToolResultPart,
} from "../../neutral/message-part.ts";
import { openSeal } from "../../neutral/sealed-thoughts.ts";
import { nameSigner } from "../../neutral/signature.ts";
import { isRecord, type JsonRecord, listOf, recordOf, textOf } from "../../shared/json-fields.ts";

import { ADDITIONAL_TOOLS, flatName } from "./read-tools.ts";

/**
 * Reads the messages of an input. Consecutive items of the assistant form one message. Throws UntranslatableError for
 * an invalid item.
 */
export function readItems(items: readonly unknown[]): readonly ChatMessage[] {
  const messages: { role: ChatMessage["role"]; name: string; parts: MessagePart[] }[] = [];
  for (const [index, value] of items.entries()) {
    if (!isRecord(value)) throw new UntranslatableError(`input.${index}`, `input.${index} must be an object.`);
    // Its tools are read with those of the request.
    if (value.type === ADDITIONAL_TOOLS) continue;
    const { role, parts } = readItem(value, index);
    const last = messages.at(-1);
    const goesOn = role === "assistant" || parts.every((part) => part.type === "tool-result");
    if (last?.role === role && goesOn) last.parts.push(...parts);
    else messages.push({ role, name: "", parts: [...parts] });
  }
  return messages;
}

type ReadItem = Pick<ChatMessage, "role" | "parts">;

function readItem(item: JsonRecord, index: number): ReadItem {
  switch (item.type) {
    case undefined:
    case "message":
      return readMessage(item, index);
    case "function_call":
      return { role: "assistant", parts: [callOf(item, textOf(item.arguments))] };
    case "custom_tool_call":
      return { role: "assistant", parts: [callOf(item, JSON.stringify({ input: textOf(item.input) }))] };
    case "function_call_output":
    case "custom_tool_call_output":
      return { role: "user", parts: [readResult(item)] };
    case "reasoning":
      return { role: "assistant", parts: readThought(item) };
    default:
      return { role: "assistant", parts: [{ type: "native", format: "openai-responses", value: item }] };
  }
}

function readMessage({ role, content }: JsonRecord, index: number): ReadItem {
  const parts =
    typeof content === "string"
      ? content === ""
        ? []
        : [{ type: "text", text: content } as const]
      : listOf(content).filter(isRecord).map(readPart);
  switch (role) {
    case "system":
    case "developer":
      return { role: "system", parts };
    case "user":
    case "assistant":
      return { role, parts };
    default: {
      const field = `input.${index}.role`;
      throw new UntranslatableError(field, `${field} must be user, assistant, system or developer.`);
    }
  }
}

function callOf(item: JsonRecord, input: string): MessagePart {
  return { type: "tool-call", id: textOf(item.call_id), name: flatName(item.namespace, item.name), input };
}

export function readPart(part: JsonRecord): MessagePart {
  switch (part.type) {
    case "refusal":
      return { type: "refusal", text: textOf(part.refusal) };
    case "input_audio": {
      const { data, format } = recordOf(part.input_audio);
      return { type: "audio", data: textOf(data), encoding: textOf(format) };
    }
    default:
      return readShown(part) ?? { type: "native", format: "openai-responses", value: part };
  }
}

function readShown(part: JsonRecord): TextPart | ImagePart | FilePart | undefined {
  switch (part.type) {
    case "input_text":
    case "output_text":
    case "text":
      return { type: "text", text: textOf(part.text) };
    case "input_image": {
      const url = textOf(part.image_url);
      const detail = textOf(part.detail) || undefined;
      if (url === "") return { type: "image", source: { type: "stored", id: textOf(part.file_id) }, detail };
      return { type: "image", source: readDataUrl(url) ?? { type: "url", url }, detail };
    }
    case "input_file": {
      const name = textOf(part.filename);
      const data = textOf(part.file_data) || textOf(part.file_url);
      if (data === "") return { type: "file", source: { type: "stored", id: textOf(part.file_id) }, name };
      return { type: "file", source: readDataUrl(data) ?? { type: "url", url: data }, name };
    }
    default:
      return undefined;
  }
}

function readResult(item: JsonRecord): ToolResultPart {
  const { output } = item;
  const content =
    typeof output === "string"
      ? [{ type: "text", text: output } as const]
      : listOf(output).flatMap((part) => readShown(recordOf(part)) ?? []);
  return { type: "tool-result", callId: textOf(item.call_id), content, isError: false };
}

/** Names of other media in tool results. */
export function lostOfResults(items: readonly unknown[]): readonly string[] {
  const parts = items.flatMap((item) => listOf(recordOf(item).output)).map(recordOf);
  return parts.flatMap((part) => (readShown(part) === undefined ? [`messages.tool_result.${textOf(part.type)}`] : []));
}

/** Reads a thought: its summary, else its content. The encrypted content is the signature. */
export function readThought(item: JsonRecord): readonly MessagePart[] {
  const encrypted = textOf(item.encrypted_content);
  const text = [...listOf(item.summary), ...listOf(item.content)]
    .map((part) => textOf(recordOf(part).text))
    .join("\n\n");
  const sealed = openSeal(encrypted, text);
  if (sealed !== undefined) return sealed;
  const signature = nameSigner("openai", encrypted);
  return text === "" && signature === "" ? [] : [{ type: "reasoning", text, signature }];
}
