import { createHash } from "node:crypto";

export function signThought(thought: string): string {
  return createHash("sha256").update(`fake ${thought}`).digest("base64");
}
