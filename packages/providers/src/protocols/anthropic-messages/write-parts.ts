import { type Drop, nativeName } from "../../neutral/chat-request.ts";
import {
  type FilePart,
  type ImagePart,
  isTextType,
  type MediaSource,
  type MessagePart,
  toolArguments,
} from "../../neutral/message-part.ts";
import { isNamed } from "../../neutral/signature.ts";
import type { JsonRecord } from "../../shared/json-fields.ts";
import { writeCacheControl } from "../cache-control.ts";

/** Writes blocks. Empty texts are dropped: Anthropic refuses them. */
export function writeBlocks(parts: readonly MessagePart[], drop: Drop): readonly JsonRecord[] {
  return parts.flatMap((part) => writeBlock(part, drop));
}

function writeBlock(part: MessagePart, drop: Drop): readonly JsonRecord[] {
  switch (part.type) {
    case "text":
    case "refusal": {
      const cache = part.type === "text" ? part.cache : undefined;
      return part.text === "" ? [] : [{ type: "text", text: part.text, ...writeCacheControl(cache) }];
    }
    case "image":
      return writeImage(part, drop);
    case "file":
      return writeFile(part, drop);
    case "audio":
      drop("messages.input_audio");
      return [];
    case "tool-call":
      return [
        {
          type: "tool_use",
          id: part.id,
          name: part.name,
          input: toolArguments(part.input),
          ...writeCacheControl(part.cache),
        },
      ];
    case "tool-result":
      return [
        {
          type: "tool_result",
          tool_use_id: part.callId,
          content: writeBlocks(part.content, drop),
          ...(part.isError && { is_error: true }),
          ...writeCacheControl(part.cache),
        },
      ];
    case "reasoning":
      // Anthropic refuses thoughts without its own signature.
      if (part.signature === "" || isNamed(part.signature)) {
        if (part.text !== "") drop("messages.reasoning");
        return [];
      }
      return [{ type: "thinking", thinking: part.text, signature: part.signature }];
    case "hidden-reasoning":
      if (isNamed(part.data)) return [];
      return [{ type: "redacted_thinking", data: part.data }];
    case "native":
      if (part.format === "anthropic-messages") return [part.value];
      drop(`messages.${nativeName(part.value)}`);
      return [];
  }
}

function writeImage(part: ImagePart, drop: Drop): readonly JsonRecord[] {
  if (part.detail === "low" || part.detail === "high") drop("messages.image_url.detail");
  return [{ type: "image", source: writeSource(part.source), ...writeCacheControl(part.cache) }];
}

function writeFile(part: FilePart, drop: Drop): readonly JsonRecord[] {
  const named = { ...(part.name !== "" && { title: part.name }), ...writeCacheControl(part.cache) };
  const { source } = part;
  if (source.type === "base64" && isTextType(source.mediaType)) {
    const data = Buffer.from(source.data, "base64").toString();
    return [{ type: "document", source: { type: "text", media_type: "text/plain", data }, ...named }];
  }
  if (source.type === "base64" && source.mediaType !== "application/pdf") {
    drop(`messages.file.${source.mediaType}`);
    return [];
  }
  return [{ type: "document", source: writeSource(source), ...named }];
}

function writeSource(source: MediaSource): JsonRecord {
  switch (source.type) {
    case "base64":
      return { type: "base64", media_type: source.mediaType, data: source.data };
    case "url":
      return { type: "url", url: source.url };
    case "stored":
      return { type: "file", file_id: source.id };
  }
}
