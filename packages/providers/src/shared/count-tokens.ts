import type { PromptParts } from "./prompt-parts.ts";
import { countPieces } from "./token-pieces.ts";

/** `approximate` counts 0.38 tokens per byte of UTF-8 and loads no tokenizer. */
export type CountMode = "exact" | "approximate";

const TOKENS_PER_BYTE = 0.38;

/** Source of these numbers: https://github.com/openai/openai-cookbook/blob/main/examples/How_to_count_tokens_with_tiktoken.ipynb */
const TOKENS_PER_MESSAGE = 3;
const TOKENS_PER_NAME = 1;
const TOKENS_OF_REPLY_START = 3;

/** Text that looks like a control token of the tokenizer is counted as the text that it is. */
const countAsText = { disallowedSpecial: new Set<string>() };

/** Counts the tokens of one text. */
export type TokenCounter = (text: string) => number;

/**
 * A counter of a model's tokens: o200k, and cl100k for OpenAI's older models; other makers' models are close to o200k. The
 * tokenizer is loaded on its first use, which takes some 100 ms. Texts of more than 100,000 characters are estimated from samples.
 */
export async function tokenCounter(model: string, mode: CountMode = "exact"): Promise<TokenCounter> {
  if (mode === "approximate") {
    return (text) => Math.ceil(Buffer.byteLength(text) * TOKENS_PER_BYTE);
  }
  const encoding = usesOldEncoding(model)
    ? await import("gpt-tokenizer/encoding/cl100k_base")
    : await import("gpt-tokenizer/encoding/o200k_base");
  return (text) => countPieces(text, (piece) => encoding.countTokens(piece, countAsText));
}

/** The tokens of a request as a model would count them, within a few per cent. */
export async function countPromptTokens(parts: PromptParts, model: string, mode: CountMode = "exact"): Promise<number> {
  const count = await tokenCounter(model, mode);
  const textTokens = parts.texts.reduce((sum, text) => sum + count(text), 0);
  const chatTokens =
    parts.messages === 0
      ? 0
      : parts.messages * TOKENS_PER_MESSAGE + parts.names * TOKENS_PER_NAME + TOKENS_OF_REPLY_START;
  const image = imageTokens(model);
  return (
    textTokens +
    parts.tokenNumbers +
    chatTokens +
    parts.lowDetailImages * image.low +
    parts.highDetailImages * image.high
  );
}

/**
 * Tokens of an image by constant rules: 85 in low detail, else 85 + 170 for each of the four tiles of a 1024 x 1024 image;
 * gpt-4o-mini counts more for the same price. Source: https://platform.openai.com/docs/guides/images-vision
 */
function imageTokens(model: string): { readonly low: number; readonly high: number } {
  return /(?:^|\/)gpt-4o-mini/.test(model) ? { low: 2_833, high: 2_833 + 4 * 5_667 } : { low: 85, high: 85 + 4 * 170 };
}

function usesOldEncoding(model: string): boolean {
  return /(?:^|\/|^ft:)(?:gpt-3|gpt-4(?![o.\d])|text-embedding-|text-davinci|davinci|babbage)/.test(model);
}
