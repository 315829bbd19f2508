/**
 * What an answer consumed, in model tokens. `cachedTokens`, `cachedAudioTokens`, `cacheWriteTokens`, `longCacheWriteTokens`, `audioPromptTokens`
 * and `imagePromptTokens` are parts of `promptTokens`, none of them inside another: audio that came from a cache is `cachedAudioTokens` alone.
 * `reasoningTokens`, `audioCompletionTokens` and `imageCompletionTokens` are parts of `completionTokens`. Pictures, characters, seconds and searches stand beside
 * the tokens, for models that are priced by them.
 */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly cachedAudioTokens: number;
  /** Written to a cache that keeps them for minutes. */
  readonly cacheWriteTokens: number;
  /** Written to a cache that keeps them for an hour, which costs more. */
  readonly longCacheWriteTokens: number;
  readonly reasoningTokens: number;
  readonly audioPromptTokens: number;
  readonly audioCompletionTokens: number;
  readonly imagePromptTokens: number;
  readonly imageCompletionTokens: number;
  /** Pictures that were made. */
  readonly images: number;
  /** What each of them costs by its size and quality, as a multiple of the plainest. */
  readonly imageFactor: number;
  /** Characters that were spoken. */
  readonly characters: number;
  /** Seconds of a recording that was heard, begun ones count. */
  readonly seconds: number;
  /** Searches of documents that a reranking is billed as. */
  readonly searches: number;
  /** What tools cost that the provider runs by itself and bills beside the tokens, in fees of $0.0005. */
  readonly toolFees: number;
  /** What the price of every token is multiplied by: more than 1 where the caller asked for speed or a place, less where it may wait. */
  readonly priceFactor: number;
  /** The report names the tier that served the request. Without one, the tier that the caller asked for counts. */
  readonly namesTier: boolean;
  /** What the provider says that the answer costs, in dollars; 0 where it says nothing. */
  readonly providerDollars: number;
}

/** Usage of nothing. */
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

/** True where a report cannot be all of what was used: it counts no prompt, or no completion where there can be one. */
export function lacksTokens({ promptTokens, completionTokens }: Usage, hasCompletion: boolean): boolean {
  return promptTokens === 0 || (hasCompletion && completionTokens === 0);
}

/**
 * Returns a report with what it lacks from another source: an earlier report of the same answer, or a local count. A prompt or a completion of zero
 * tokens is taken from the other source as a whole, because some servers repeat a report as zeros.
 */
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
