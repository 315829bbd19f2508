import type { Token } from "@one-api/contract/token";
import { fullKey } from "./full-key.ts";

/** Tokens as card shops import them: one line each, `name----key`. */
export function shopFormat(tokens: readonly Pick<Token, "name" | "key">[]): string {
  return tokens.map((token) => `${token.name}----${fullKey(token)}`).join("\n");
}
