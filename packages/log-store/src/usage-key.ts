import type { UsageKey } from "./questions.ts";

/** Returns a key as a text: the model, the id, or the owner's id and the token's name with a slash between. */
export function keyText(key: UsageKey): string {
  return typeof key === "object" ? `${key.userId}/${key.tokenName}` : String(key);
}
