import type { WrittenToken } from "../../../neutral/logprobs.ts";
import { type JsonRecord, listOf, textOf } from "../../../shared/json-fields.ts";

/** So many letters the prompt has, behind which the offsets of a completion begin. */
export function lettersOfPrompt({ prompt }: JsonRecord): number {
  return lettersOf(textOf(prompt) || textOf(listOf(prompt)[0]));
}

/** So many letters tokens have. */
export function lettersOfTokens(tokens: readonly WrittenToken[]): number {
  return tokens.reduce((sum, { token }) => sum + lettersOf(token), 0);
}

function lettersOf(text: string): number {
  return Array.from(text).length;
}

/**
 * How likely tokens were, as completions tell it; null where nothing is known. `offset`: of the first one, in letters from the beginning of the
 * prompt. Source: https://platform.openai.com/docs/api-reference/completions/object
 */
export function writeLogprobs(tokens: readonly WrittenToken[] | undefined, offset: number): JsonRecord | null {
  if (tokens === undefined) return null;
  const hasLikeliest = tokens.some(({ likeliest }) => likeliest.length > 0);
  return {
    tokens: tokens.map(({ token }) => token),
    token_logprobs: tokens.map(({ logprob }) => logprob),
    // What was written is among the likeliest always.
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
