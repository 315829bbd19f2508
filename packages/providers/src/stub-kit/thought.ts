import { createHash } from "node:crypto";

export const THOUGHT = "They want an answer.";

export function signThought(thought: string): string {
  return createHash("sha256").update(`fake ${thought}`).digest("base64");
}
