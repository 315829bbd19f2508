/** Content of a request that the model reads, as far as counting needs it. */
export interface PromptParts {
  readonly texts: readonly string[];
  /** Chat messages, each with a few tokens of overhead; 0 outside of chats. */
  readonly messages: number;
  readonly names: number;
  readonly lowDetailImages: number;
  readonly highDetailImages: number;
  readonly tokenNumbers: number;
}

export const NO_PROMPT: PromptParts = {
  texts: [],
  messages: 0,
  names: 0,
  lowDetailImages: 0,
  highDetailImages: 0,
  tokenNumbers: 0,
};

/** `approximate` counts 0.38 tokens per byte of UTF-8 and loads no tokenizer. */
type CountMode = "exact" | "approximate";

const TOKENS_PER_BYTE = 0.38;

/** Source of these numbers: https://github.com/openai/openai-cookbook/blob/main/examples/How_to_count_tokens_with_tiktoken.ipynb */
const TOKENS_PER_MESSAGE = 3;
const TOKENS_PER_NAME = 1;
const TOKENS_OF_REPLY_START = 3;

/** Control tokens in a text are counted as text. */
const countAsText = { disallowedSpecial: new Set<string>() };

export type TokenCounter = (text: string) => number;

/**
 * Returns a counter by o200k, or cl100k for OpenAI's older models. The tokenizer loads in about 100 ms. Texts over 8,000 characters are sampled, in about 10 ms.
 */
export async function tokenCounter(model: string, mode: CountMode = "exact"): Promise<TokenCounter> {
  const count = await wholeCounter(model, mode);
  return mode === "approximate" ? count : (text) => countSlices(text, count);
}

async function wholeCounter(model: string, mode: CountMode): Promise<TokenCounter> {
  if (mode === "approximate") {
    return (text) => Math.ceil(Buffer.byteLength(text) * TOKENS_PER_BYTE);
  }
  const encoding = usesOldEncoding(model)
    ? await import("gpt-tokenizer/encoding/cl100k_base")
    : await import("gpt-tokenizer/encoding/o200k_base");
  return (text) => tokenPieces(text).reduce((sum, piece) => sum + encoding.countTokens(piece, countAsText), 0);
}

export interface PromptCount {
  readonly tokens: number;
  /** False where the time limit ended the count and the rest is extrapolated. */
  readonly isWhole: boolean;
}

/** Counts the tokens of a request within a few per cent. `isLate` is polled and ends the count. */
export async function countPromptTokens(
  parts: PromptParts,
  model: string,
  mode: CountMode = "exact",
  isLate: () => boolean = () => false,
): Promise<PromptCount> {
  const { tokens: textTokens, isWhole } = countTexts(parts.texts, await wholeCounter(model, mode), isLate);
  const chatTokens =
    parts.messages === 0
      ? 0
      : parts.messages * TOKENS_PER_MESSAGE + parts.names * TOKENS_PER_NAME + TOKENS_OF_REPLY_START;
  const image = imageTokens(model);
  const imagesTokens = parts.lowDetailImages * image.low + parts.highDetailImages * image.high;
  return { tokens: textTokens + parts.tokenNumbers + chatTokens + imagesTokens, isWhole };
}

function countTexts(texts: readonly string[], count: TokenCounter, isLate: () => boolean): PromptCount {
  let tokens = 0;
  let counted = 0;
  let isWhole = true;
  for (const text of texts) {
    for (let from = 0; from < text.length && isWhole; from += SLICE_LENGTH) {
      const slice = text.slice(from, from + SLICE_LENGTH);
      tokens += count(slice);
      counted += slice.length;
      isWhole = !isLate();
    }
  }
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (counted === length) return { tokens, isWhole: true };
  return { tokens: Math.ceil((tokens * length) / counted), isWhole: false };
}

/**
 * Returns the tokens of an image by fixed rules: 85 in low detail, else 85 + 170 for each of the four tiles of a 1024 x 1024 image.
 * gpt-4o-mini counts more for the same price. Source: https://platform.openai.com/docs/guides/images-vision
 */
function imageTokens(model: string): { readonly low: number; readonly high: number } {
  return /(?:^|\/)gpt-4o-mini/.test(model) ? { low: 2_833, high: 2_833 + 4 * 5_667 } : { low: 85, high: 85 + 4 * 170 };
}

function usesOldEncoding(model: string): boolean {
  return /(?:^|\/|^ft:)(?:gpt-3|gpt-4(?![o.\d])|text-embedding-|text-davinci|davinci|babbage)/.test(model);
}

/** Longest unbroken run that is counted as one. A tokenizer's work grows with the square of a run's length. */
const MAX_RUN_LENGTH = 128;

const SLICE_LENGTH = 1_000;
/** Slices of a longer text that are counted, evenly spread. */
const MAX_SLICES = 8;

/** Runs that a tokenizer may see as one: letters, or neither letters nor digits. The look-behinds keep the search linear. */
const longRun = new RegExp(
  ["[\\p{L}\\p{M}]", "[^\\p{L}\\p{N}]"].map((kind) => `(?<!${kind})${kind}{${MAX_RUN_LENGTH + 1},}`).join("|"),
  "gu",
);
const runPieces = new RegExp(`[\\s\\S]{1,${MAX_RUN_LENGTH}}`, "gu");

/** Splits a text into pieces that can be counted in linear time. Tokens across a cut count twice. */
export function tokenPieces(text: string): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const run of text.matchAll(longRun)) {
    if (run.index > from) {
      pieces.push(text.slice(from, run.index));
    }
    for (const piece of run[0].match(runPieces) ?? []) {
      pieces.push(piece);
    }
    from = run.index + run[0].length;
  }
  if (from < text.length) {
    pieces.push(text.slice(from));
  }
  return pieces;
}

/** Counts a short text whole. Of a long one, counts evenly spread slices and extrapolates, which bounds the time. */
function countSlices(text: string, count: TokenCounter): number {
  if (text.length <= SLICE_LENGTH * MAX_SLICES) return count(text);
  const step = (text.length - SLICE_LENGTH) / (MAX_SLICES - 1);
  let tokens = 0;
  for (let index = 0; index < MAX_SLICES; index += 1) {
    const start = Math.floor(index * step);
    tokens += count(text.slice(start, start + SLICE_LENGTH));
  }
  return Math.ceil((tokens * text.length) / (SLICE_LENGTH * MAX_SLICES));
}
