import { isJsonObject, type JsonObject, listField, objectsField } from "./json-fields.ts";

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

/** Returns the caller's last text: the last user message, or the first prompt or input. Empty without one. */
export function promptText(body: unknown): string {
  if (!isJsonObject(body)) return "";
  const isUser = (role: unknown) => role === "user";
  const { input } = body;
  if ("contents" in body) return lastText(listField(body, "contents"), (role) => role !== "model", "parts");
  if ("additional_messages" in body) return lastText(listField(body, "additional_messages"), isUser);
  if (Array.isArray(input) && input.some(isJsonObject)) return lastText(input, isUser);
  if (isJsonObject(input)) return promptText(input);
  if ("messages" in body) return lastText(listField(body, "messages"), isUser);
  return inputTexts(body["prompt"] ?? input ?? body["text"] ?? body["query"])[0] ?? "";
}

function lastText(messages: readonly unknown[], isUser: (role: unknown) => boolean, content = "content"): string {
  const last = messages.findLast((message) => isJsonObject(message) && isUser(message["role"]));
  return isJsonObject(last) ? contentText(last[content]) : "";
}

/** The number of words in a text: runs of characters without space, tab or line break. */
export function countWords(text: string): number {
  let words = 0;
  let insideWord = false;
  for (let index = 0; index < text.length; index += 1) {
    const isSpace = text.charCodeAt(index) <= 32;
    if (!isSpace && !insideWord) words += 1;
    insideWord = !isSpace;
  }
  return words;
}

const TOKENS_A_MESSAGE = 3;
const TOKENS_A_REPLY = 3;
const TOKENS_A_PICTURE = 85;
const PICTURE_TYPES: ReadonlySet<unknown> = new Set(["image_url", "input_image", "image"]);

/** Prompt tokens in any vendor's form: one for each word, 3 for each message, and those of each picture. */
export function countPromptTokens(
  contents: readonly unknown[],
  messages: number,
  tokensAPicture = TOKENS_A_PICTURE,
): number {
  return contents.reduce<number>((sum, content) => {
    const pictures = objectsField({ content }, "content").filter(
      ({ type, inlineData, fileData }) => PICTURE_TYPES.has(type) || (inlineData ?? fileData) !== undefined,
    );
    return sum + countWords(contentText(content)) + pictures.length * tokensAPicture;
  }, messages * TOKENS_A_MESSAGE);
}

/** Prompt tokens of a chat in OpenAI's form, with 3 for the reply. */
export function countChatPromptTokens(body: JsonObject): number {
  const contents = objectsField(body, "messages").map(({ content }) => content);
  return countPromptTokens(contents, contents.length) + TOKENS_A_REPLY;
}

/** Prompt tokens of a `prompt` or `input`: one for each word, or the length of a list of tokens. */
export function countInputTokens(input: unknown): number {
  if (typeof input === "string") return countWords(input);
  if (typeof input === "number") return 1;
  if (!Array.isArray(input)) return 0;
  return input.reduce<number>((sum, item) => sum + countInputTokens(item), 0);
}
