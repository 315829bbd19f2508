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
};
