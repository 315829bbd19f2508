import { isJsonObject, listField } from "./json-fields.ts";
import type { JsonObject } from "./json-fields.ts";

/** The text of a message's content: a string, or the text parts of a list, in their order. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (isJsonObject(part) && typeof part["text"] === "string" ? part["text"] : "")).join("");
}

/** The texts of an `input` or `prompt`: one string, a list of strings, or token lists, each written as its length. */
export function inputTexts(input: unknown): string[] {
  if (typeof input === "string") return [input];
  if (!Array.isArray(input) || input.length === 0) return [];
  const items: readonly unknown[] = input;
  if (items.every((item) => typeof item === "number")) return [`${items.length} tokens`];
  return items.map((item) => (Array.isArray(item) ? `${item.length} tokens` : typeof item === "string" ? item : ""));
}

/** What the caller last said: the last user message, or the first prompt or input. Empty when the body has none. */
export function promptText(body: unknown): string {
  if (!isJsonObject(body)) return "";
  if (!("messages" in body)) return inputTexts(body["prompt"] ?? body["input"])[0] ?? "";
  return lastUserText(body);
}

function lastUserText(body: JsonObject): string {
  const isUser = (message: unknown): message is JsonObject => isJsonObject(message) && message["role"] === "user";
  const message = listField(body, "messages").findLast(isUser);
  return message === undefined ? "" : contentText(message["content"]);
}
