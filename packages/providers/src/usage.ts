import type { PriceTier } from "@one-api/contract/prices/model-prices";

/**
 * Usage of an answer, in model tokens.
 *
 * - Disjoint subsets of `promptTokens`: `cachedTokens`, `cachedAudioTokens`, `cacheWriteTokens`, `longCacheWriteTokens`, `audioPromptTokens`,
 * `imagePromptTokens`. Cached audio counts as `cachedAudioTokens` alone.
 * - Subsets of `completionTokens`: `reasoningTokens`, `audioCompletionTokens`, `imageCompletionTokens`.
 * - Pictures, characters, seconds and searches are outside of the tokens, for models priced by them.
 */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly cachedAudioTokens: number;
  /** Written to a cache with a lifetime of minutes. */
  readonly cacheWriteTokens: number;
  /** Written to a cache with a lifetime of an hour, which costs more. */
  readonly longCacheWriteTokens: number;
  readonly reasoningTokens: number;
  readonly audioPromptTokens: number;
  readonly audioCompletionTokens: number;
  readonly imagePromptTokens: number;
  readonly imageCompletionTokens: number;
  readonly images: number;
  /** Price factor of each picture by size and quality; the plainest has 1. */
  readonly imageFactor: number;
  readonly characters: number;
  readonly seconds: number;
  readonly searches: number;
  /** Cost of tools that the provider runs and bills beside the tokens, in fees of $0.0005. */
  readonly toolFees: number;
  /** Price factor of every token: above 1 for a requested speed or region, below 1 for a request that may wait. */
  readonly priceFactor: number;
  /** Tier behind `priceFactor`, where a model may have a price of its own for it; absent for others. */
  readonly tier?: PriceTier;
  /** The report names the tier that served the request. Otherwise the requested tier counts. */
  readonly namesTier: boolean;
  /** Cost that the provider reports, in dollars; 0 without. */
  readonly providerDollars: number;
}

export const NO_USAGE: Usage = {
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  cachedAudioTokens: 0,
  cacheWriteTokens: 0,
  longCacheWriteTokens: 0,
  reasoningTokens: 0,
  audioPromptTokens: 0,
  audioCompletionTokens: 0,
  imagePromptTokens: 0,
  imageCompletionTokens: 0,
  images: 0,
  imageFactor: 1,
  characters: 0,
  seconds: 0,
  searches: 0,
  toolFees: 0,
  priceFactor: 1,
  namesTier: false,
  providerDollars: 0,
};

/** True for an incomplete report: no prompt tokens, or no completion tokens where there can be some. */
export function lacksTokens({ promptTokens, completionTokens }: Usage, hasCompletion: boolean): boolean {
  return promptTokens === 0 || (hasCompletion && completionTokens === 0);
}

/** Completes a report from an earlier report or a local count. A zero count is replaced as a whole, because some servers repeat a report as zeros. */
export function completedBy(report: Usage, other: Usage | undefined): Usage {
  if (other === undefined) return report;
  const { promptTokens, completionTokens } = report;
  const tier = report.namesTier ? report : other;
  return {
    ...report,
    ...(promptTokens === 0 && promptOf(other)),
    ...(completionTokens === 0 && completionOf(other)),
    images: report.images || other.images,
    characters: report.characters || other.characters,
    seconds: report.seconds || other.seconds,
    searches: report.searches || other.searches,
    toolFees: Math.max(report.toolFees, other.toolFees),
    providerDollars: Math.max(report.providerDollars, other.providerDollars),
    namesTier: tier.namesTier,
    ...(tier.namesTier && tier.tier !== undefined && { tier: tier.tier }),
    priceFactor: tier.namesTier ? tier.priceFactor : Math.max(report.priceFactor, other.priceFactor),
  };
}

function promptOf(usage: Usage): Partial<Usage> {
  const { promptTokens, cachedTokens, cachedAudioTokens, cacheWriteTokens, longCacheWriteTokens } = usage;
  const { audioPromptTokens, imagePromptTokens } = usage;
  const cache = { cachedTokens, cachedAudioTokens, cacheWriteTokens, longCacheWriteTokens };
  return { promptTokens, ...cache, audioPromptTokens, imagePromptTokens };
}

function completionOf(usage: Usage): Partial<Usage> {
  const { completionTokens, reasoningTokens, audioCompletionTokens, imageCompletionTokens } = usage;
  return { completionTokens, reasoningTokens, audioCompletionTokens, imageCompletionTokens };
}
