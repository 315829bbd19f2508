import { TOKEN_KEY_PREFIX } from "@one-api/contract/constants";
import type { Token } from "@one-api/contract/token";

const SHOWN_END_LENGTH = 4;

/** The key as callers send it, with its prefix. */
export function fullKey({ key }: Pick<Token, "key">): string {
  return TOKEN_KEY_PREFIX + key;
}

/** The key cut to what recognises it: `sk-…wxyz`. */
export function maskedKey({ key }: Pick<Token, "key">): string {
  return `${TOKEN_KEY_PREFIX}…${key.slice(-SHOWN_END_LENGTH)}`;
}
