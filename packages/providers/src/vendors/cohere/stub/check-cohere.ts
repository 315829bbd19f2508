import { isJsonObject, type JsonObject, listField, objectField } from "../../../stub-kit/json-fields.ts";
import { refuse as refuseRequest } from "../../../stub-kit/refusal.ts";

function refuse(text: string): never {
  refuseRequest(`invalid request: ${text}`);
}

/** Throws RequestRefused for a chat that Cohere refuses. Sources: https://docs.cohere.com/reference/chat, https://docs.cohere.com/reference/errors */
export function checkChat(body: JsonObject): void {
  const messages = listField(body, "messages");
  if (messages.length === 0) refuse("messages must be at least 1 item long.");
  for (const [index, message] of messages.entries()) checkMessage(message, index);
  const { p, frequency_penalty: frequency, presence_penalty: presence } = body;
  if (p !== undefined && !(typeof p === "number" && p >= 0.01 && p <= 0.99))
    refuse("p must be between 0.01 and 0.99 inclusive.");
  for (const penalty of [frequency, presence])
    if (penalty !== undefined && !(typeof penalty === "number" && penalty >= 0 && penalty <= 1))
      refuse("penalties must be between 0 and 1.0 inclusive.");
  if (frequency !== undefined && presence !== undefined)
    refuse("cannot specify both frequency_penalty and presence_penalty.");
  const hasTools = listField(body, "tools").length > 0;
  if (body["response_format"] !== undefined && hasTools) refuse("response_format is not supported with tools.");
  const choice = body["tool_choice"];
  if (choice !== undefined && !(hasTools && (choice === "REQUIRED" || choice === "NONE")))
    refuse("tool_choice must be REQUIRED or NONE and come with tools.");
}

function checkMessage(message: unknown, index: number): void {
  if (!isJsonObject(message)) refuse("all elements in messages must be objects.");
  const { role, content } = message;
  if (!["system", "user", "assistant", "tool"].includes(String(role))) refuse(`unknown role '${String(role)}'.`);
  if (role === "system" && index > 0) refuse("system turn must be the first in the list");
  if (role === "tool" && typeof message["tool_call_id"] !== "string") refuse("tool messages must have a tool_call_id.");
  const calls = listField(message, "tool_calls");
  const isEmpty = content === undefined || content === "" || (Array.isArray(content) && content.length === 0);
  if (isEmpty && calls.length === 0 && role !== "tool") refuse("message must not be empty in a turn");
  for (const call of calls) {
    if (!isJsonObject(call) || typeof objectField(call, "function")["arguments"] !== "string")
      refuse("arguments of a tool call must be a string.");
  }
  for (const part of listField(message, "content")) checkPart(part);
}

function checkPart(part: unknown): void {
  if (!isJsonObject(part)) refuse("content must be a string or a list of objects.");
  const { url } = objectField(part, "image_url");
  if (part["type"] === "image_url" && !(typeof url === "string" && /^(?:https?:|data:image\/\w+;base64,)/.test(url)))
    refuse("image_url.url must be an address or a base64 data URI.");
}

const INPUT_TYPES = "search_document search_query classification clustering image".split(" ");
const MAX_TEXTS = 96;

/** Throws RequestRefused for embeddings that Cohere refuses. Source: https://docs.cohere.com/reference/embed */
export function checkEmbed(body: JsonObject): void {
  const texts = listField(body, "texts");
  if (texts.length === 0 || texts.length > MAX_TEXTS) refuse(`texts must hold 1 to ${MAX_TEXTS} items.`);
  if (!INPUT_TYPES.includes(String(body["input_type"])))
    refuse("valid input_type must be provided with the provided model");
  if (!listField(body, "embedding_types").includes("float")) refuse("embedding_types must be provided.");
}
