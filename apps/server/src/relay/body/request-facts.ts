import { toolsIn } from "./hosted-tools.ts";
import type { ParsedRequest } from "./parse-request.ts";

/** Bytes of a token, in an estimate. */
const BYTES_PER_TOKEN = 4;

/** Returns the facts of a request that conditions of aliases ask for. The number of tokens is an estimate. */
export function requestFacts({ prompt, body }: Pick<ParsedRequest, "prompt" | "body">) {
  return {
    promptTokens: Math.ceil(prompt.promptTokens / BYTES_PER_TOKEN),
    hasTools: toolsIn(body.outline).length > 0,
    hasImages: prompt.hasImages,
  };
}
