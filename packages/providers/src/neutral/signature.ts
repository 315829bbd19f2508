import type { MessagePart } from "./message-part.ts";

/** Signers of thoughts other than Anthropic, whose signatures have no prefix. */
export type Signer = "gemini" | "openai" | "openrouter" | typeof FIELD;

const SIGNED_BY = /^(?:gemini|openai|openrouter|field):/;

/** Prefixes a signature with its signer, so that no other provider receives it. Empty stays empty. */
export function nameSigner(signer: Signer, signature: string): string {
  return signature === "" ? "" : `${signer}:${signature}`;
}

/** Returns the signer's original signature; undefined for another signer. */
export function signatureOf(signer: Signer, named: string): string | undefined {
  return named.startsWith(`${signer}:`) ? named.slice(signer.length + 1) : undefined;
}

/** Marks the name of the field that held an unsigned thought. */
export const FIELD = "field";

/** True for a real signature; false for the name of a field. */
export function isProof(signature: string): boolean {
  return signature !== "" && signatureOf(FIELD, signature) === undefined;
}

export function isNamed(signature: string): boolean {
  return SIGNED_BY.test(signature);
}

/** True for a signature without a thought: Gemini signs calls and texts, OpenAI hidden thoughts. */
export function isLooseSignature(part: MessagePart): boolean {
  return part.type === "reasoning" && part.text === "" && isNamed(part.signature);
}
