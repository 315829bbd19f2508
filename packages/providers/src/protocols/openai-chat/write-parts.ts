import { type Drop, nativeName } from "../../neutral/chat-request.ts";
import {
  type CacheMark,
  type FilePart,
  type ImagePart,
  isTextType,
  type MediaSource,
  type MessagePart,
} from "../../neutral/message-part.ts";
import { signatureOf } from "../../neutral/signature.ts";
import { isRecord, type JsonRecord } from "../../shared/json-fields.ts";
import { writeCacheControl } from "../cache-control.ts";
import type { OpenAiChatVariant } from "./openai-chat-variant.ts";

export function writeParts(
  parts: readonly MessagePart[],
  variant: OpenAiChatVariant,
  drop: Drop,
): readonly JsonRecord[] {
  return parts.flatMap((part) => writePart(part, variant, drop));
}

function writePart(part: MessagePart, variant: OpenAiChatVariant, drop: Drop): readonly JsonRecord[] {
  switch (part.type) {
    case "text":
      return [{ type: "text", text: part.text, ...writeCacheMark(part.cache, variant, drop) }];
    case "image":
      return writeImage(part, variant, drop);
    case "audio":
      return [{ type: "input_audio", input_audio: { data: part.data, format: part.encoding } }];
    case "file":
      return writeFile(part, variant, drop);
    case "native":
      // A call of a custom tool is not content.
      if (part.format === "openai-chat") return isRecord(part.value.custom) ? [] : [part.value];
      drop(`messages.${nativeName(part.value)}`);
      return [];
    default:
      return [];
  }
}

function writeImage(part: ImagePart, variant: OpenAiChatVariant, drop: Drop): readonly JsonRecord[] {
  const url = addressOf(part.source);
  if (url === undefined) {
    drop("messages.image.file_id");
    return [];
  }
  const image_url = { url, ...(part.detail !== undefined && { detail: part.detail }) };
  return [{ type: "image_url", image_url, ...writeCacheMark(part.cache, variant, drop) }];
}

function writeFile(part: FilePart, variant: OpenAiChatVariant, drop: Drop): readonly JsonRecord[] {
  const mark = writeCacheMark(part.cache, variant, drop);
  const { source, name } = part;
  if (source.type === "base64" && isTextType(source.mediaType)) {
    return [{ type: "text", text: Buffer.from(source.data, "base64").toString(), ...mark }];
  }
  if (source.type === "stored") return [{ type: "file", file: { file_id: source.id }, ...mark }];
  if (source.type === "url") {
    drop("messages.document.url");
    return [];
  }
  const file = { filename: name === "" ? "document.pdf" : name, file_data: addressOf(source) };
  return [{ type: "file", file, ...mark }];
}

function addressOf(source: MediaSource): string | undefined {
  switch (source.type) {
    case "base64":
      return `data:${source.mediaType};base64,${source.data}`;
    case "url":
      return source.url;
    case "stored":
      return undefined;
  }
}

export function writeCacheMark(cache: CacheMark | undefined, variant: OpenAiChatVariant, drop: Drop): JsonRecord {
  if (cache === undefined) return {};
  if (!variant.cacheMarks) {
    drop("cache_control");
    return {};
  }
  return writeCacheControl(cache);
}

/** Writes tool calls. `signs`: the first one has Gemini's own signature. */
export function writeCalls(parts: readonly MessagePart[], signs: boolean): readonly JsonRecord[] {
  let signature = "";
  let hasCall = false;
  return parts.flatMap((part): readonly JsonRecord[] => {
    if (part.type === "reasoning") signature = signatureOf("gemini", part.signature) ?? signature;
    if (part.type === "native" && isRecord(part.value.custom)) return [part.value];
    if (part.type !== "tool-call") return [];
    const isSigned = signs && !hasCall && signature !== "";
    hasCall = true;
    const called = { name: part.name, arguments: part.input || "{}" };
    return [{ id: part.id, type: "function", function: called, ...(isSigned && writeGoogleSignature(signature)) }];
  });
}

/**
 * Google's form of a call signature in chat completions. Source:
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export function writeGoogleSignature(signature: string): JsonRecord {
  return { extra_content: { google: { thought_signature: signature } } };
}
