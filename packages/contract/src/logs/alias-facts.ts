import type { AliasConditions } from "../channels/model-aliases.ts";

/** Facts of a request that conditions of aliases ask for. */
export interface RequestFacts {
  /** Estimate from the bytes of the prompt. */
  readonly promptTokens: number;
  readonly hasTools: boolean;
  readonly hasImages: boolean;
}

/** Of entries of older versions, batches, and requests for no alias. */
export const UNKNOWN_FACTS = -1;

/** The facts as one number, as the log stores them: prompt tokens × 4, plus 1 with tools, plus 2 with images. */
export function writeFacts({ promptTokens, hasTools, hasImages }: RequestFacts): number {
  return promptTokens * 4 + (hasTools ? 1 : 0) + (hasImages ? 2 : 0);
}

/** True if a model with these conditions takes the request. Its price ceiling is not compared. */
export function takesRequest(when: AliasConditions, { promptTokens, hasTools, hasImages }: RequestFacts): boolean {
  return (
    promptTokens >= (when.prompt_from ?? 0) &&
    promptTokens <= (when.prompt_to ?? Number.POSITIVE_INFINITY) &&
    (when.tools ?? hasTools) === hasTools &&
    (when.images ?? hasImages) === hasImages
  );
}
