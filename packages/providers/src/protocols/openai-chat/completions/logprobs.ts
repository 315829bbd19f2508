import type { WrittenToken } from "../../../neutral/logprobs.ts";
import { type JsonRecord, listOf, textOf } from "../../../shared/json-fields.ts";

/** Characters of the prompt. Offsets of a completion start behind it. */
export function lettersOfPrompt({ prompt }: JsonRecord): number {
  return lettersOf(textOf(prompt) || textOf(listOf(prompt)[0]));
}

export function lettersOfTokens(tokens: readonly WrittenToken[]): number {
  return tokens.reduce((sum, { token }) => sum + lettersOf(token), 0);
}

function lettersOf(text: string): number {
  return Array.from(text).length;
}

/**
 * Writes log probabilities; null without any. `offset`: of the first token, in characters from the start of the
 * prompt. Source: https://platform.openai.com/docs/api-reference/completions/object
 */
export function writeLogprobs(tokens: readonly WrittenToken[] | undefined, offset: number): JsonRecord | null {
  if (tokens === undefined) return null;
  const hasLikeliest = tokens.some(({ likeliest }) => likeliest.length > 0);
  return {
    tokens: tokens.map(({ token }) => token),
    token_logprobs: tokens.map(({ logprob }) => logprob),
    // The alternatives always include the chosen token.
    top_logprobs: hasLikeliest ? tokens.map(writeLikeliest) : null,
    text_offset: offsetsOf(tokens, offset),
  };
}

function offsetsOf(tokens: readonly WrittenToken[], offset: number): readonly number[] {
  let next = offset;
  return tokens.map(({ token }) => {
    const begin = next;
    next += lettersOf(token);
    return begin;
  });
}

function writeLikeliest(written: WrittenToken): JsonRecord {
  return Object.fromEntries([...written.likeliest, written].map(({ token, logprob }) => [token, logprob]));
}
