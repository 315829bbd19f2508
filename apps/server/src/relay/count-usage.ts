import { promptTexts, requestMedia } from "@one-api/providers/formats/openai/prompt-texts";
import { countPromptTokens, type TokenCounter, tokenCounter } from "@one-api/providers/shared/count-tokens";
import { NO_USAGE, type Usage } from "@one-api/providers/usage";
import type { OptionStore } from "../core/option-store.ts";
import type { RelayAsk } from "./body/read-ask.ts";
import type { UsageBound } from "./pricing/compute-charge.ts";

/** Counts model tokens here, for providers that do not report them. */
export interface CountTokens {
  /** Counts a text at once; until the tokenizer is loaded the count is the approximate one. */
  readonly text: TokenCounter;
  /** The prompt of a request as the model would count it. */
  prompt(ask: RelayAsk, model: string): Promise<number>;
}

/** Builds the counters and starts to load the tokenizer, which takes some 100 ms. */
export function createCountTokens(options: OptionStore): CountTokens {
  const mode = () => (options.flag("ApproximateTokenEnabled") ? "approximate" : "exact");
  let exact: TokenCounter | undefined;
  let approximate: TokenCounter = (text) => Math.ceil(text.length / 3);
  void tokenCounter("", "approximate").then((counter) => (approximate = counter));
  void tokenCounter("gpt-4o", "exact").then((counter) => (exact = counter));
  return {
    text: (text) => (mode() === "exact" && exact !== undefined ? exact(text) : approximate(text)),
    prompt: (ask, model) => countPromptTokens(promptTexts(ask.body.json), model, mode()),
  };
}

/** The usage of a whole answer whose provider reports none. `readText` returns what the model wrote. */
export async function countAnswer(
  count: CountTokens,
  ask: RelayAsk,
  model: string,
  readText: () => string,
  calcPrompt: boolean,
): Promise<Usage> {
  return {
    ...NO_USAGE,
    promptTokens: calcPrompt ? await count.prompt(ask, model) : 0,
    completionTokens: ask.hasCompletion ? count.text(readText()) : 0,
  };
}

/** The usage of a stream without a report, or cut off after its last one: never less than what was reported. */
export async function countStream(
  count: CountTokens,
  ask: RelayAsk,
  model: string,
  stream: { readonly reported: Usage | undefined; readonly deliveredTokens: number },
  calcPrompt: boolean,
): Promise<Usage> {
  const { reported, deliveredTokens } = stream;
  return {
    ...(reported ?? NO_USAGE),
    promptTokens: reported?.promptTokens ?? (calcPrompt ? await count.prompt(ask, model) : 0),
    completionTokens: Math.max(reported?.completionTokens ?? 0, deliveredTokens),
  };
}

/** Model tokens of an answer whose length the caller leaves open, for its limit per minute: few are longer. */
const USUAL_ANSWER_TOKENS = 4_096;
/** A token has about this many bytes. */
const BYTES_PER_TOKEN = 4;

/** Returns about how many model tokens the request may use, prompt and answers, for limits that are put right afterwards. */
export function guessTokens(ask: RelayAsk): number {
  const answerTokens = ask.hasCompletion ? (ask.maxTokens ?? USUAL_ANSWER_TOKENS) * ask.answers : 0;
  return guessPromptTokens(ask) + answerTokens;
}

/** Returns about how many tokens the prompt has. */
export function guessPromptTokens(ask: RelayAsk): number {
  const { promptTokens, audioPromptTokens } = boundPrompt(ask);
  return Math.ceil(promptTokens / BYTES_PER_TOKEN) + audioPromptTokens;
}

/** No image costs more than this in any model's count, in tokens (gpt-4o-mini at high detail, 2,048 px: 36,835). */
const IMAGE_TOKENS = 37_000;
/** What providers add around every message, at the most. */
const MESSAGE_TOKENS = 16;

/** A prompt's tokens at the most, those of audio apart, and what of it is billed at rates of its own. */
export type PromptBound = Omit<UsageBound, "completionTokens">;

/**
 * Returns an upper bound of the prompt. No tokenizer makes more than one token of a byte, so the body's own length bounds its text without
 * counting it; images and audio are not billed by their bytes, so where there may be some the texts are measured instead.
 */
export function boundPrompt(ask: RelayAsk): PromptBound {
  const { bytes, json } = ask.body;
  if (!mayHoldMedia(bytes)) {
    return {
      promptTokens: bytes.length + MESSAGE_TOKENS,
      audioPromptTokens: 0,
      hasImages: false,
      wantsAudio: false,
    };
  }
  const parts = promptTexts(json);
  const media = requestMedia(json);
  const textBytes = parts.texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const images = parts.lowDetailImages + parts.highDetailImages;
  return {
    promptTokens: textBytes + parts.tokenNumbers + parts.messages * MESSAGE_TOKENS + images * IMAGE_TOKENS,
    audioPromptTokens: media.audioTokens,
    hasImages: media.hasImages,
    wantsAudio: media.wantsAudio,
  };
}

/** Names of fields can be written with escapes, so a body with such escapes is looked at as well. */
function mayHoldMedia(bytes: Buffer): boolean {
  return bytes.includes("image_url") || bytes.includes("audio") || bytes.includes("\\u00");
}
