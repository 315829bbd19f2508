/**
 * What an answer consumed, in model tokens. `cachedTokens`, `cachedAudioTokens`, `cacheWriteTokens`, `longCacheWriteTokens`, `audioPromptTokens`
 * and `imagePromptTokens` are parts of `promptTokens`, none of them inside another: audio that came from a cache is `cachedAudioTokens` alone.
 * `reasoningTokens` and `audioCompletionTokens` are parts of `completionTokens`.
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
  /** Searches of the web that the provider made and bills beside the tokens. */
  readonly webSearches: number;
  /** What the price of every token is multiplied by: more than 1 where the caller asked for speed or a place. */
  readonly priceFactor: number;
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
  webSearches: 0,
  priceFactor: 1,
};
