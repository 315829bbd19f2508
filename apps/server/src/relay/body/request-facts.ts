import { toolsIn } from "./hosted-tools.ts";
import type { ParsedRequest } from "./parse-request.ts";

/** Bytes of a token, in an estimate. */
const BYTES_PER_TOKEN = 4;

/** Facts of a request that conditions of aliases ask for. */
export interface RequestFacts {
  /** Estimate. */
  readonly promptTokens: number;
  readonly hasTools: boolean;
  readonly hasImages: boolean;
}

export function requestFacts({ prompt, body }: Pick<ParsedRequest, "prompt" | "body">): RequestFacts {
  return {
    promptTokens: Math.ceil(prompt.promptTokens / BYTES_PER_TOKEN),
    hasTools: toolsIn(body.outline).length > 0,
    hasImages: prompt.hasImages,
  };
}
