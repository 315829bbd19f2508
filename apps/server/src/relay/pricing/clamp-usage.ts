import type { UsageNote } from "@one-api/contract/logs/log-detail";
import { FEES_PER_DOLLAR } from "@one-api/contract/prices/pricing";
import type { Usage } from "@one-api/providers/usage";
import type { UsageUpperBound } from "./compute-charge.ts";

/** Usage that can be charged, and what was wrong with the report of it. */
export interface ClampedUsage {
  readonly usage: Usage;
  /** For the log; none where the report could be taken as it came. */
  readonly notes: readonly UsageNote[];
}

/** Instructions of their own that providers put in front of a prompt and report with it have at most so many tokens. */
const HIDDEN_PROMPT_TOKENS = 8_192;
/** No answer needs tools for more than ten dollars. */
const MOST_FEES = 10 * FEES_PER_DOLLAR;
/** No answer costs more than a hundred dollars: 128,000 tokens of the dearest model in its dearest tier cost $77. */
const MOST_DOLLARS = 100;
/** Reasoning that some providers report beyond the limit of the answer has at most so many tokens. */
const HIDDEN_ANSWER_TOKENS = 131_072;

/** No answer holds more pictures. */
const MOST_IMAGES = 1_000;

const NO_NOTES: readonly UsageNote[] = [];

/**
 * Returns the usage as whole numbers that the request can have used, parts within their totals. A total that is beyond belief (more than the bound and
 * what providers may add to it) is taken at the bound; one that is only above the bound is charged as reported. Never throws.
 */
export function clampUsage(usage: Usage, bound: UsageUpperBound): ClampedUsage {
  const mostPrompt = bound.promptTokens + bound.audioPromptTokens;
  const believable = Math.max(mostPrompt + HIDDEN_PROMPT_TOKENS, bound.believablePromptTokens ?? 0);
  const promptTokens = clampTotal(usage.promptTokens, mostPrompt, believable - mostPrompt);
  const completionTokens = clampTotal(usage.completionTokens, bound.completionTokens, HIDDEN_ANSWER_TOKENS);
  const isAsTold = promptTokens === usage.promptTokens && completionTokens === usage.completionTokens;
  if (isAsTold && partsFit(usage) && unitsFit(usage, bound)) return { usage, notes: NO_NOTES };
  const prompt = shareOut(promptTokens, [
    usage.cachedAudioTokens,
    usage.audioPromptTokens,
    usage.imagePromptTokens,
    usage.cachedTokens,
    usage.cacheWriteTokens,
    usage.longCacheWriteTokens,
  ]);
  const [cachedAudioTokens = 0, audioPromptTokens = 0, imagePromptTokens = 0] = prompt;
  const [cachedTokens = 0, cacheWriteTokens = 0, longCacheWriteTokens = 0] = prompt.slice(3);
  const [audioCompletionTokens = 0, imageCompletionTokens = 0, reasoningTokens = 0] = shareOut(completionTokens, [
    usage.audioCompletionTokens,
    usage.imageCompletionTokens,
    usage.reasoningTokens,
  ]);
  return {
    usage: {
      promptTokens,
      completionTokens,
      cachedTokens,
      cachedAudioTokens,
      cacheWriteTokens,
      longCacheWriteTokens,
      reasoningTokens,
      audioPromptTokens,
      audioCompletionTokens,
      imagePromptTokens,
      imageCompletionTokens,
      // The gateway counts pictures itself, in the answer.
      images: Math.min(countOf(usage.images), bound.units === undefined ? 0 : MOST_IMAGES),
      imageFactor: usage.imageFactor,
      characters: Math.min(countOf(usage.characters), bound.units?.characters ?? 0),
      seconds: Math.min(countOf(usage.seconds), bound.units?.believableSeconds ?? 0),
      searches: Math.min(countOf(usage.searches), bound.units?.searches ?? 0),
      toolFees: Math.min(countOf(usage.toolFees), MOST_FEES),
      priceFactor: usage.priceFactor,
      namesTier: usage.namesTier,
      providerDollars: Math.min(usage.providerDollars, MOST_DOLLARS),
    },
    notes: [
      ...noteOf("odd-prompt-tokens", usage.promptTokens, promptTokens),
      ...noteOf("odd-completion-tokens", usage.completionTokens, completionTokens),
    ],
  };
}

function clampTotal(reported: number, bound: number, hidden: number): number {
  const most = Math.min(bound, Number.MAX_SAFE_INTEGER);
  return reported <= most + hidden ? countOf(reported) : reported > most ? most : 0;
}

/** A whole number of tokens; nothing for what is no number above zero. */
function countOf(reported: number): number {
  return reported > 0 ? Math.ceil(reported) : 0;
}

function noteOf(code: UsageNote["code"], reported: number, counted: number): readonly UsageNote[] {
  if (reported === counted) return [];
  // JSON has no word for what is no number, or beyond all of them.
  const told = Math.max(-Number.MAX_VALUE, Math.min(reported || 0, Number.MAX_VALUE));
  return [{ code, reported: told, counted }];
}

function partsFit(usage: Usage): boolean {
  const cached = size(usage.cachedTokens) + size(usage.cachedAudioTokens);
  const cacheWrite = size(usage.cacheWriteTokens) + size(usage.longCacheWriteTokens);
  const media = size(usage.audioPromptTokens) + size(usage.imagePromptTokens);
  const answerMedia = size(usage.audioCompletionTokens) + size(usage.imageCompletionTokens);
  return (
    usage.toolFees <= MOST_FEES &&
    usage.providerDollars <= MOST_DOLLARS &&
    cached + cacheWrite + media <= usage.promptTokens &&
    answerMedia + size(usage.reasoningTokens) <= usage.completionTokens
  );
}

function unitsFit({ images, characters, seconds, searches }: Usage, { units }: UsageUpperBound): boolean {
  if (units === undefined) return images + characters + seconds + searches === 0;
  const isHeard = characters <= units.characters && seconds <= units.believableSeconds;
  return isHeard && images <= MOST_IMAGES && searches <= units.searches;
}

/** The part itself; more than any total when it is no whole number from zero on. */
function size(part: number): number {
  return Number.isSafeInteger(part) && part >= 0 ? part : Number.POSITIVE_INFINITY;
}

/** Cuts the parts, in order, so that their sum stays within the total. */
function shareOut(total: number, parts: readonly number[]): readonly number[] {
  let rest = total;
  return parts.map((part) => {
    const share = Math.min(countOf(part), rest);
    rest -= share;
    return share;
  });
}
