import { nativeName } from "../../neutral/chat-request.ts";
import type {
  CacheMark,
  FilePart,
  ImagePart,
  MediaSource,
  MessagePart,
  TextPart,
  ToolResultPart,
} from "../../neutral/message-part.ts";
import { openSeal } from "../../neutral/sealed-thoughts.ts";
import { isRecord, type JsonRecord, listOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { readCacheControl } from "../cache-control.ts";

export const EXACT_FIELDS: ReadonlySet<string> = new Set(["input", "input_schema", "schema"]);

export function readContent(content: unknown): readonly MessagePart[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return listOf(content).filter(isRecord).flatMap(readBlock);
}

function readBlock(block: JsonRecord): MessagePart | readonly MessagePart[] {
  const native = { type: "native", format: "anthropic-messages", value: block } as const;
  switch (block.type) {
    case "thinking":
      return readThought(textOf(block.thinking), textOf(block.signature));
    case "redacted_thinking":
      return openSeal(textOf(block.data), "") ?? { type: "hidden-reasoning", data: textOf(block.data) };
    case "tool_use":
      // Calls of a toolset have no meaning for other providers.
      if (typeof block.toolset_name === "string") return native;
      return {
        type: "tool-call",
        id: textOf(block.id),
        name: textOf(block.name),
        input: JSON.stringify(block.input ?? {}),
        cache: readCacheControl(block),
      };
    case "tool_result":
      return readToolResult(block);
    default:
      return readShown(block) ?? native;
  }
}

function readThought(text: string, signature: string): MessagePart | readonly MessagePart[] {
  return openSeal(signature, text) ?? { type: "reasoning", text, signature };
}

function readShown(block: JsonRecord): TextPart | ImagePart | FilePart | undefined {
  const cache = readCacheControl(block);
  switch (block.type) {
    case "text":
      return { type: "text", text: textOf(block.text), cache };
    case "image":
      return { type: "image", source: readSource(recordOf(block.source)), cache };
    case "document":
      return readDocument(block, cache);
    case "search_result": {
      const texts = listOf(block.content).map((part) => textOf(recordOf(part).text));
      return { type: "text", text: [textOf(block.title), textOf(block.source), ...texts].join("\n"), cache };
    }
    default:
      return undefined;
  }
}

function readDocument(block: JsonRecord, cache: CacheMark | undefined): TextPart | FilePart {
  const source = recordOf(block.source);
  const name = textOf(block.title);
  if (source.type === "content") {
    const texts =
      typeof source.content === "string"
        ? [source.content]
        : listOf(source.content).map((part) => textOf(recordOf(part).text));
    return { type: "text", text: texts.join("\n"), cache };
  }
  if (source.type === "text") {
    const data = Buffer.from(textOf(source.data)).toString("base64");
    return { type: "file", source: { type: "base64", mediaType: "text/plain", data }, name, cache };
  }
  return { type: "file", source: readSource(source), name, cache };
}

/**
 * Names of block fields without a neutral equivalent: titles and citations of documents, and other media in tool
 * results.
 */
export function lostOfContent(content: unknown): readonly string[] {
  return listOf(content)
    .map(recordOf)
    .flatMap((block) => {
      if (block.type === "tool_result") {
        const unknown = listOf(block.content)
          .map(recordOf)
          .filter((part) => readShown(part) === undefined);
        return unknown.map((part) => `messages.tool_result.${nativeName(part)}`);
      }
      if (block.type !== "document" && block.type !== "search_result") return [];
      return [
        ...(recordOf(block.citations).enabled === true ? ["messages.citations"] : []),
        ...(textOf(block.context) === "" ? [] : ["messages.document.context"]),
      ];
    });
}

function readSource(source: JsonRecord): MediaSource {
  switch (source.type) {
    case "base64":
      return { type: "base64", mediaType: textOf(source.media_type), data: textOf(source.data) };
    case "file":
      return { type: "stored", id: textOf(source.file_id) };
    default:
      return { type: "url", url: textOf(source.url) };
  }
}

function readToolResult(block: JsonRecord): ToolResultPart {
  const { content } = block;
  const parts =
    typeof content === "string"
      ? [{ type: "text", text: content } as const]
      : listOf(content).flatMap((part) => readShown(recordOf(part)) ?? []);
  return {
    type: "tool-result",
    callId: textOf(block.tool_use_id),
    content: parts,
    isError: block.is_error === true,
    cache: readCacheControl(block),
  };
}
