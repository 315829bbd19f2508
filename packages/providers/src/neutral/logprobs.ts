export interface LikelyToken {
  readonly token: string;
  readonly logprob: number;
  /** UTF-8, if the provider reports it: a token may be less than a character. */
  readonly bytes?: readonly number[];
}

/** Request fields of OpenAI (three APIs) and of Google (both spellings). */
export const LOGPROBS_FIELDS: ReadonlySet<string> = new Set([
  "logprobs",
  "top_logprobs",
  "include.logprobs",
  "generationConfig.responseLogprobs",
  "generationConfig.response_logprobs",
  "generationConfig.logprobs",
]);

export interface WrittenToken extends LikelyToken {
  readonly likeliest: readonly LikelyToken[];
}
