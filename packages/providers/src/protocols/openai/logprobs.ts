import type { LikelyToken, WrittenToken } from "../../neutral/logprobs.ts";
import { isRecord, type JsonRecord, listOf, numberOf, recordOf, textOf } from "../../shared/json-fields.ts";

export function readLogprobs(value: unknown): readonly WrittenToken[] | undefined {
  return readTokens(recordOf(value).content);
}

export function readTokens(value: unknown): readonly WrittenToken[] | undefined {
  const tokens = listOf(value).filter(isRecord);
  if (tokens.length === 0) return undefined;
  return tokens.map((token) => ({
    ...readToken(token),
    likeliest: listOf(token.top_logprobs).filter(isRecord).map(readToken),
  }));
}

function readToken({ token, logprob, bytes }: JsonRecord): LikelyToken {
  const known = listOf(bytes).flatMap((byte) => numberOf(byte) ?? []);
  return { token: textOf(token), logprob: numberOf(logprob) ?? 0, ...(known.length > 0 && { bytes: known }) };
}

/** Source: https://platform.openai.com/docs/api-reference/chat/object */
export function writeLogprobs(tokens: readonly WrittenToken[] | undefined): JsonRecord | null {
  if (tokens === undefined) return null;
  return { content: writeTokens(tokens), refusal: null };
}

export function writeTokens(tokens: readonly WrittenToken[]): readonly JsonRecord[] {
  return tokens.map((token) => ({ ...writeToken(token), top_logprobs: token.likeliest.map(writeToken) }));
}

function writeToken({ token, logprob, bytes }: LikelyToken): JsonRecord {
  return { token, logprob, bytes: bytes ?? [...Buffer.from(token)] };
}
