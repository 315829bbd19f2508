import { createHash } from "node:crypto";

/** Signature by which a stub recognises its own thoughts. */
export function signThought(thought: string): string {
  return createHash("sha256").update(`fake ${thought}`).digest("base64");
}
