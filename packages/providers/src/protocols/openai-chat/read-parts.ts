import { type FilePart, type ImagePart, type MessagePart, readDataUrl } from "../../neutral/message-part.ts";
import type { Thought } from "../../neutral/sealed-thoughts.ts";
import { FIELD, nameSigner } from "../../neutral/signature.ts";
import { isRecord, type JsonRecord, listOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { readCacheControl } from "../cache-control.ts";
import { readDetails } from "./reasoning-details.ts";

export function readContent(content: unknown): readonly MessagePart[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return listOf(content).filter(isRecord).flatMap(readPart);
}

function readPart(part: JsonRecord): readonly MessagePart[] {
  const cache = readCacheControl(part);
  switch (part.type) {
    case "text":
      return [{ type: "text", text: textOf(part.text), cache }];
    case "refusal":
      return [{ type: "refusal", text: textOf(part.refusal) }];
    case "image_url":
      return [{ ...readImage(part), cache }];
    case "input_audio": {
      const { data, format } = recordOf(part.input_audio);
      return [{ type: "audio", data: textOf(data), encoding: textOf(format) }];
    }
    case "file":
      return [{ ...readFile(recordOf(part.file)), cache }];
    case "thinking":
      // Mistral puts thoughts into the content.
      return [{ type: "reasoning", text: thoughtText(part.thinking), signature: textOf(part.signature) }];
    default:
      return [{ type: "native", format: "openai-chat", value: part }];
  }
}

function readImage(part: JsonRecord): ImagePart {
  const image = recordOf(part.image_url);
  const url = textOf(image.url) || textOf(part.image_url);
  const detail = textOf(image.detail) || undefined;
  return { type: "image", source: readDataUrl(url) ?? { type: "url", url }, detail };
}

function readFile(file: JsonRecord): FilePart {
  const data = textOf(file.file_data);
  const name = textOf(file.filename);
  if (data === "") return { type: "file", source: { type: "stored", id: textOf(file.file_id) }, name };
  return { type: "file", source: readDataUrl(data) ?? { type: "url", url: data }, name };
}

function thoughtText(thinking: unknown): string {
  if (typeof thinking === "string") return thinking;
  return listOf(thinking)
    .map((part) => textOf(recordOf(part).text))
    .join("");
}

/**
 * Reads thoughts beside the content: `reasoning_details` (OpenRouter, with signatures and hidden thoughts), else the
 * text of `reasoning_content` (DeepSeek, Moonshot, xAI) or `reasoning`. Source:
 * https://openrouter.ai/docs/use-cases/reasoning-tokens
 */
export function readThoughts(message: JsonRecord): readonly Thought[] {
  const details = readDetails(listOf(message.reasoning_details).filter(isRecord));
  const { text } = readThoughtText(message);
  if (text === "" || details.some((thought) => thought.type === "reasoning" && thought.text !== "")) return details;
  return withText(details, text);
}

/**
 * Adds the text to the only thought, if the caller has returned just its signature. With several thoughts the owner of
 * the text is unknown.
 */
function withText(details: readonly Thought[], text: string): readonly Thought[] {
  const shown = details.filter((thought) => thought.type === "reasoning");
  const [only] = shown;
  if (shown.length !== 1) {
    return [{ type: "reasoning", text, signature: "" }, ...details.filter(({ type }) => type === "hidden-reasoning")];
  }
  return details.map((thought) => (thought === only ? { ...only, text } : thought));
}

export function readThoughtText(message: JsonRecord): {
  readonly field: "reasoning_content" | "reasoning";
  readonly text: string;
} {
  const text = textOf(message.reasoning_content);
  return text === "" ? { field: "reasoning", text: textOf(message.reasoning) } : { field: "reasoning_content", text };
}

/** Signature of an unsigned thought: the field that held it. Empty without an `origin`. */
export function fieldSignature(origin: string, field: string): string {
  return origin === "" ? "" : nameSigner(FIELD, `${origin} ${field}`);
}

/**
 * Reads tool calls, each preceded by its signature unless a thought has it already. The deprecated `function_call` has
 * no id.
 */
export function readToolCalls(message: JsonRecord, thoughts: readonly Thought[]): readonly MessagePart[] {
  const calls = listOf(message.tool_calls)
    .filter(isRecord)
    .flatMap((call): readonly MessagePart[] => {
      const { name, arguments: input } = recordOf(call.function);
      if (!isRecord(call.function)) return [{ type: "native", format: "openai-chat", value: call }];
      const read: MessagePart = { type: "tool-call", id: textOf(call.id), name: textOf(name), input: inputText(input) };
      const signature = readGoogleSignature(call);
      const isKnown = thoughts.some((thought) => thought.type === "reasoning" && thought.signature === signature);
      return signature === "" || isKnown ? [read] : [{ type: "reasoning", text: "", signature }, read];
    });
  if (!isRecord(message.function_call)) return calls;
  const { name, arguments: input } = message.function_call;
  return [...calls, { type: "tool-call", id: "", name: textOf(name), input: inputText(input) }];
}

/** Google's signature of a call. Source: https://ai.google.dev/gemini-api/docs/thought-signatures */
export function readGoogleSignature(call: JsonRecord): string {
  const { google } = recordOf(call.extra_content);
  return nameSigner("gemini", textOf(recordOf(google).thought_signature));
}

/** Arguments as JSON text; some providers write an object. */
export function inputText(input: unknown): string {
  return isRecord(input) ? JSON.stringify(input) : textOf(input);
}
