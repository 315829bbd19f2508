import type { MessagePart } from "./message-part.ts";

/** Who proves with a signature that a thought is its own, where it is not Anthropic, whose signatures are written as they are. */
export type Signer = "gemini" | "openai" | "openrouter" | typeof FIELD;

const SIGNED_BY = /^(?:gemini|openai|openrouter|field):/;

/** A signature as the neutral form and every caller have it: it names its signer, so that nobody else is shown it. Empty stays empty. */
export function nameSigner(signer: Signer, signature: string): string {
  return signature === "" ? "" : `${signer}:${signature}`;
}

/** The signature as its signer wrote it; undefined where somebody else did. */
export function signatureOf(signer: Signer, named: string): string | undefined {
  return named.startsWith(`${signer}:`) ? named.slice(signer.length + 1) : undefined;
}

/** Names the field in which a provider that signs nothing has given a thought. */
export const FIELD = "field";

/** True for a signature by which a provider knows its thought again; false for the name of a field. */
export function isProof(signature: string): boolean {
  return signature !== "" && signatureOf(FIELD, signature) === undefined;
}

/** True for a signature that is not Anthropic's. */
export function isNamed(signature: string): boolean {
  return SIGNED_BY.test(signature);
}

/** True for a signature that stands alone, without a thought: Gemini signs calls and texts, OpenAI thoughts that it does not show. */
export function isLooseSignature(part: MessagePart): boolean {
  return part.type === "reasoning" && part.text === "" && isNamed(part.signature);
}
