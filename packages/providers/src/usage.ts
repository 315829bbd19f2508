/**
 * What an answer consumed, in model tokens. The parts are counted inside their totals: `cachedTokens`, `cacheWriteTokens`,
 * `audioPromptTokens` and `imagePromptTokens` inside `promptTokens`; `reasoningTokens` and `audioCompletionTokens` inside `completionTokens`.
 */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
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
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  audioPromptTokens: 0,
  audioCompletionTokens: 0,
  imagePromptTokens: 0,
};
