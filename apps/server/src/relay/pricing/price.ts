/**
 * What a model costs in a group, as ratios. Ratio 1 is $0.002 per 1,000 input tokens, which is 1 quota a token at 500,000 quota to the dollar.
 * The other ratios are relative to the input price.
 */
export interface Price {
  readonly modelRatio: number;
  readonly completionRatio: number;
  readonly groupRatio: number;
  readonly cachedRatio: number;
  readonly cacheWriteRatio: number;
  readonly audioRatio: number;
  readonly audioCompletionRatio: number;
  readonly imageRatio: number;
  /** Where the model ratio comes from: `option`, `list` (the maintained price list) or `fallback` (the model is in neither). */
  readonly source: "option" | "list" | "fallback";
}

/** The ratio of a model that nobody knows: $60 per million tokens, so that an unknown model is never given away. */
export const UNKNOWN_MODEL_RATIO = 30;
