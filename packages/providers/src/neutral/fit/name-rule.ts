import { createHash } from "node:crypto";

export interface NameRule {
  /** In characters. */
  readonly maxLength: number;
  readonly pattern: RegExp;
  readonly refused: RegExp;
  readonly beginsWithLetter?: true;
  /** Every other name becomes a hash of exactly `maxLength` letters and digits. */
  readonly isHash?: true;
}

/** OpenAI's rule, the strictest of the providers. Source: https://platform.openai.com/docs/api-reference/chat/create */
export const NAMES_OF_64: NameRule = { maxLength: 64, pattern: /^[\w-]{1,64}$/, refused: /[^\w-]/g };

/** Source: https://docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use */
export const NAMES_OF_128: NameRule = { maxLength: 128, pattern: /^[\w-]{1,128}$/, refused: /[^\w-]/g };

const HASH_LENGTH = 10;

/** Returns a valid name unchanged, else a distinct valid name derived from it. Deterministic. */
export function fitName(name: string, rule: NameRule): string {
  if (name === "" || rule.pattern.test(name)) return name;
  const hash = createHash("sha256").update(name).digest("hex");
  if (rule.isHash) return hash.slice(0, rule.maxLength);
  const plain = name.replace(rule.refused, "_");
  const begun = rule.beginsWithLetter && !/^[a-zA-Z_]/.test(plain) ? `_${plain}` : plain;
  return `${begun.slice(0, rule.maxLength - HASH_LENGTH - 1)}_${hash.slice(0, HASH_LENGTH)}`;
}
