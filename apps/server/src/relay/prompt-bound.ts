import { promptTexts } from "@one-api/providers/formats/openai/prompt-texts";
import type { RelayAsk } from "./endpoints/read-ask.ts";

/** No image costs more than this in any model's count, in tokens (gpt-4o-mini at high detail, 2,048 px: 36,835). */
const IMAGE_TOKENS = 37_000;
/** What providers add around every message, at the most. */
const MESSAGE_TOKENS = 16;

/**
 * Returns an upper bound of the prompt's tokens. No tokenizer makes more than one token of a byte, so the body's own length bounds its
 * text without counting it; images are not billed by their bytes, so where there are some the texts are measured instead.
 */
export function boundPromptTokens(ask: RelayAsk): number {
  const { bytes, json } = ask.body;
  if (!bytes.includes("image_url")) return bytes.length + MESSAGE_TOKENS;
  const parts = promptTexts(json);
  const textBytes = parts.texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const images = parts.lowDetailImages + parts.highDetailImages;
  return textBytes + parts.tokenNumbers + parts.messages * MESSAGE_TOKENS + images * IMAGE_TOKENS;
}
