/**
 * What an answer consumed, in model tokens. `cachedTokens`, `cachedAudioTokens`, `cacheWriteTokens`, `audioPromptTokens` and
 * `imagePromptTokens` are parts of `promptTokens`, none of them inside another: audio that came from a cache is `cachedAudioTokens` alone.
 * `reasoningTokens` and `audioCompletionTokens` are parts of `completionTokens`.
 */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly cachedAudioTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
  readonly audioPromptTokens: number;
  readonly audioCompletionTokens: number;
  readonly imagePromptTokens: number;
}

/** Usage of nothing. */
export const NO_USAGE: Usage = {
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  cachedAudioTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  audioPromptTokens: 0,
  audioCompletionTokens: 0,
  imagePromptTokens: 0,
};
