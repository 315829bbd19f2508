/** What of a request the model reads, as far as counting needs it. */
export interface PromptParts {
  readonly texts: readonly string[];
  /** Chat messages, each of which costs a few tokens of its own; 0 outside of chats. */
  readonly messages: number;
  /** Messages that name their author. */
  readonly names: number;
  readonly lowDetailImages: number;
  readonly highDetailImages: number;
  /** Tokens that the caller sent as numbers. */
  readonly tokenNumbers: number;
}

/** A request without anything. */
export const NO_PROMPT: PromptParts = {
  texts: [],
  messages: 0,
  names: 0,
  lowDetailImages: 0,
  highDetailImages: 0,
  tokenNumbers: 0,
};
