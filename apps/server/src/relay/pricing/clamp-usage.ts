import type { UsageNote } from "@one-api/contract/logs/log-detail";
import { FEES_PER_DOLLAR } from "@one-api/contract/prices/pricing";
import type { Usage } from "@one-api/providers/usage";
import type { UsageUpperBound } from "./charge-upper-bound.ts";

export interface ClampedUsage {
  readonly usage: Usage;
  readonly notes: readonly UsageNote[];
}

/** Upper bound of a provider's own instructions that it reports with the prompt. */
const HIDDEN_PROMPT_TOKENS = 8_192;
const MAX_FEES = 10 * FEES_PER_DOLLAR;
/** Per answer. 128,000 tokens of the dearest model in its dearest tier cost $77. */
const MAX_DOLLARS = 100;
/** Upper bound of reasoning that providers report beyond the answer's limit. */
const HIDDEN_ANSWER_TOKENS = 131_072;

const MAX_IMAGES = 1_000;

const NO_NOTES: readonly UsageNote[] = [];

/**
 * Returns plausible usage in whole numbers, with parts within their totals. Never throws.
 * A total beyond the upper bound plus hidden tokens becomes the upper bound.
 */
export function clampUsage(usage: Usage, bound: UsageUpperBound): ClampedUsage {
  const mostPrompt = bound.promptTokens + bound.audioPromptTokens;
  const believable = Math.max(mostPrompt + HIDDEN_PROMPT_TOKENS, bound.believablePromptTokens ?? 0);
  const promptTokens = clampTotal(usage.promptTokens, mostPrompt, believable - mostPrompt);
  const completionTokens = clampTotal(usage.completionTokens, bound.completionTokens, HIDDEN_ANSWER_TOKENS);
  const isAsReported = promptTokens === usage.promptTokens && completionTokens === usage.completionTokens;
  if (isAsReported && partsFit(usage) && unitsFit(usage, bound)) return { usage, notes: NO_NOTES };
  const prompt = distribute(promptTokens, [
    usage.cachedAudioTokens,
    usage.audioPromptTokens,
    usage.imagePromptTokens,
    usage.cachedTokens,
    usage.cacheWriteTokens,
    usage.longCacheWriteTokens,
  ]);
  const [cachedAudioTokens = 0, audioPromptTokens = 0, imagePromptTokens = 0] = prompt;
  const [cachedTokens = 0, cacheWriteTokens = 0, longCacheWriteTokens = 0] = prompt.slice(3);
  const [audioCompletionTokens = 0, imageCompletionTokens = 0, reasoningTokens = 0] = distribute(completionTokens, [
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
      // Images are counted by the gateway, in the answer.
      images: Math.min(countOf(usage.images), bound.units === undefined ? 0 : MAX_IMAGES),
      imageFactor: usage.imageFactor,
      characters: Math.min(countOf(usage.characters), bound.units?.characters ?? 0),
      seconds: Math.min(countOf(usage.seconds), bound.units?.believableSeconds ?? 0),
      searches: Math.min(countOf(usage.searches), bound.units?.searches ?? 0),
      toolFees: Math.min(countOf(usage.toolFees), MAX_FEES),
      priceFactor: usage.priceFactor,
      namesTier: usage.namesTier,
      ...(usage.tier && { tier: usage.tier }),
      providerDollars: Math.min(usage.providerDollars, MAX_DOLLARS),
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

function countOf(reported: number): number {
  return reported > 0 ? Math.ceil(reported) : 0;
}

function noteOf(code: UsageNote["code"], reported: number, counted: number): readonly UsageNote[] {
  if (reported === counted) return [];
  // JSON cannot express NaN or infinity.
  const finite = Math.max(-Number.MAX_VALUE, Math.min(reported || 0, Number.MAX_VALUE));
  return [{ code, reported: finite, counted }];
}

function partsFit(usage: Usage): boolean {
  const cached = size(usage.cachedTokens) + size(usage.cachedAudioTokens);
  const cacheWrite = size(usage.cacheWriteTokens) + size(usage.longCacheWriteTokens);
  const media = size(usage.audioPromptTokens) + size(usage.imagePromptTokens);
  const answerMedia = size(usage.audioCompletionTokens) + size(usage.imageCompletionTokens);
  return (
    usage.toolFees <= MAX_FEES &&
    usage.providerDollars <= MAX_DOLLARS &&
    cached + cacheWrite + media <= usage.promptTokens &&
    answerMedia + size(usage.reasoningTokens) <= usage.completionTokens
  );
}

function unitsFit({ images, characters, seconds, searches }: Usage, { units }: UsageUpperBound): boolean {
  if (units === undefined) return images + characters + seconds + searches === 0;
  const hasPlausibleSound = characters <= units.characters && seconds <= units.believableSeconds;
  return hasPlausibleSound && images <= MAX_IMAGES && searches <= units.searches;
}

/** Infinity for anything but a whole number from 0. */
function size(part: number): number {
  return Number.isSafeInteger(part) && part >= 0 ? part : Number.POSITIVE_INFINITY;
}

function distribute(total: number, parts: readonly number[]): readonly number[] {
  let rest = total;
  return parts.map((part) => {
    const share = Math.min(countOf(part), rest);
    rest -= share;
    return share;
  });
}
