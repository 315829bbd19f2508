import type { WrittenRequest } from "../../format-sides.ts";
import {
  type ChatMessage,
  type ChatRequest,
  type Drop,
  takeForeignFields,
  UntranslatableError,
} from "../../neutral/chat-request.ts";
import { dropOptions } from "../../neutral/drop-options.ts";
import { dropPart } from "../../neutral/texts-alone.ts";
import type { MediaSource, MessagePart } from "../../neutral/message-part.ts";
import type { JsonRecord } from "../../shared/json-fields.ts";

/** Prefix of One API's names of agents. */
const BOT_PREFIX = /^bot-/;

/**
 * Writes a chat for an agent, which has its own tools and prompt: system messages are sent as the user's. Coze stores none of it. Source:
 * https://www.coze.com/docs/developer_guides/chat_v3
 */
export function writeRequest(request: ChatRequest): WrittenRequest {
  const dropped = new Set<string>();
  const drop: Drop = (name) => void dropped.add(name);
  takeForeignFields(request.foreign, "coze-chat", drop);
  dropOptions(request, new Set(), drop);
  const messages = request.messages.flatMap((message) => writeMessage(message, drop));
  if (messages.length === 0) {
    throw new UntranslatableError(
      "messages",
      "The messages hold nothing that the agent of this request can read: send a text.",
    );
  }
  const body = {
    bot_id: request.model.replace(BOT_PREFIX, ""),
    additional_messages: messages,
    // Whole answers would require polling.
    stream: true,
    auto_save_history: false,
  };
  return { body, dropped: [...dropped] };
}

function writeMessage({ role, parts }: ChatMessage, drop: Drop): readonly JsonRecord[] {
  const items = parts.flatMap((part) => writePart(part, drop));
  if (items.length === 0) return [];
  const isText = items.every(({ type }) => type === "text");
  const content = isText ? items.map(({ text }) => text).join("\n\n") : JSON.stringify(items);
  const head = role === "assistant" ? { role, type: "answer" } : { role: "user", type: "question" };
  return [{ ...head, content, content_type: isText ? "text" : "object_string" }];
}

function writePart(part: MessagePart, drop: Drop): readonly JsonRecord[] {
  switch (part.type) {
    case "text":
    case "refusal":
      return part.text === "" ? [] : [{ type: "text", text: part.text }];
    case "image":
    case "file":
      return [{ type: part.type, file_url: addressOf(part.source) }];
    default:
      dropPart(part, drop);
      return [];
  }
}

function addressOf(source: MediaSource): string {
  if (source.type === "url") return source.url;
  const message =
    "Pictures and files must be addresses that the provider of this model can fetch (https://…): it takes none inside of a request.";
  throw new UntranslatableError("messages", message);
}
