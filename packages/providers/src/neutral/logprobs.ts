/** How likely the model found a token, as a natural logarithm. */
export interface LikelyToken {
  readonly token: string;
  readonly logprob: number;
  /** In UTF-8, where the provider tells them: a token may be a part of a character. */
  readonly bytes?: readonly number[];
}

/** How callers ask for it: OpenAI's, in their three APIs, and Google's, in both of its spellings. */
export const LOGPROBS_FIELDS: ReadonlySet<string> = new Set([
  "logprobs",
  "top_logprobs",
  "include.logprobs",
  "generationConfig.responseLogprobs",
  "generationConfig.response_logprobs",
  "generationConfig.logprobs",
]);

/** A token that the model wrote, and the likeliest ones in its place where these were asked for. */
export interface WrittenToken extends LikelyToken {
  readonly likeliest: readonly LikelyToken[];
}
