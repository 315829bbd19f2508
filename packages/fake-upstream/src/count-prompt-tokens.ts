import { isJsonObject, listField } from "./json-fields.ts";
import type { JsonObject } from "./json-fields.ts";
import { contentText } from "./prompt-text.ts";

const tokensPerMessage = 3;
const tokensPerReply = 3;
const tokensPerImage = 85;

/** The number of words in a text: runs of characters without space, tab or line break. */
function countWords(text: string): number {
  let words = 0;
  let insideWord = false;
  for (let index = 0; index < text.length; index += 1) {
    const isSpace = text.charCodeAt(index) <= 32;
    if (!isSpace && !insideWord) words += 1;
    insideWord = !isSpace;
  }
  return words;
}

/** Prompt tokens of a chat: 3 for each message, one for each of its words, 85 for each image, and 3 for the reply. */
export function countChatPromptTokens(body: JsonObject): number {
  let tokens = tokensPerReply;
  for (const message of listField(body, "messages")) {
    if (!isJsonObject(message)) continue;
    tokens += tokensPerMessage + countWords(contentText(message["content"]));
    for (const part of listField(message, "content")) {
      if (isJsonObject(part) && part["type"] === "image_url") tokens += tokensPerImage;
    }
  }
  return tokens;
}

/** Prompt tokens of a `prompt` or `input`: one for each word, or the length of a list of tokens. */
export function countInputTokens(input: unknown): number {
  if (typeof input === "string") return countWords(input);
  if (typeof input === "number") return 1;
  if (!Array.isArray(input)) return 0;
  return input.reduce<number>((sum, item) => sum + countInputTokens(item), 0);
}
