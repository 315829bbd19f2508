import type { ParsedRequest } from "../body/index.ts";
import type { UsageUpperBound } from "../pricing/index.ts";
import { RelayError } from "../errors/index.ts";

/** Tokenizers differ by no more than this factor on the texts of one answer. */
const COUNT_MARGIN = 1.5;
/** Margin of short answers, in tokens, for the frames of calls and thoughts. */
const LEAST_MARGIN_TOKENS = 256;

/** Least number of delivered bytes between two counts of tokens. */
const LEAST_STEP_BYTES = 4 * 1024;
/** No text has fewer bytes to a token than this, on the whole. */
const LEAST_BYTES_PER_TOKEN = 2;

/** Visible output, in tokens, above which an answer has ignored its limit; Infinity without a comparable limit. */
export function mostVisibleTokens({
  parsed,
  most,
}: {
  readonly parsed: ParsedRequest;
  readonly most: UsageUpperBound;
}): number {
  if (parsed.media !== undefined || most.completionTokens === 0) return Number.POSITIVE_INFINITY;
  return most.completionTokens * COUNT_MARGIN + LEAST_MARGIN_TOKENS;
}

/** Counts the delivered tokens of a stream only when they may have reached the limit. */
export class OutputWatch {
  readonly #mostTokens: number;
  #bytes = 0;
  #nextBytes: number;

  constructor(mostTokens: number) {
    this.#mostTokens = mostTokens;
    this.#nextBytes = stepOf(mostTokens);
  }

  /** Returns the tokens delivered before the piece if it exceeds the limit; else undefined. `count` gives the tokens up to the piece, inclusive. */
  beyond(piece: Buffer, count: () => number): number | undefined {
    this.#bytes += piece.length;
    if (this.#bytes < this.#nextBytes) return undefined;
    const tokens = count();
    if (tokens > this.#mostTokens) return Math.floor((tokens * (this.#bytes - piece.length)) / this.#bytes);
    this.#nextBytes = this.#bytes + stepOf(this.#mostTokens - tokens);
    return undefined;
  }
}

function stepOf(tokens: number): number {
  return Math.max(LEAST_STEP_BYTES, tokens * LEAST_BYTES_PER_TOKEN);
}

export function limitIgnored(): RelayError {
  return new RelayError({
    status: 502,
    code: "output_limit_exceeded",
    message:
      "The provider wrote more than the limit of this request allows, so the answer ends here. Raise max_tokens or choose another model.",
  });
}
