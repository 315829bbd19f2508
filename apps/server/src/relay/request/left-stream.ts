import type { Usage } from "@one-api/providers/usage";
import type { ParsedRequest } from "../body/index.ts";
import type { PricedCandidate } from "../routing/index.ts";
import { type DeliveredStream, usageDelivered } from "../usage/index.ts";
import type { Interruption } from "../charging/index.ts";

/** Whoever says nothing for longer than this, at first or between two pieces of the answer, may think meanwhile, unseen. In ms. */
const UNSEEN_THOUGHT_MS = 3_000;

/** A stream whose caller has left, and what is known of its cost. */
export interface StreamLeft {
  readonly ask: ParsedRequest;
  readonly price: Pick<PricedCandidate["price"], "unit">;
  readonly stream: DeliveredStream;
  /** The longest that the provider said nothing, until its answer began or later, in ms. */
  readonly longestPauseMs: number;
}

/**
 * Whether a stream may have cost what only the report at its end tells: thoughts that nobody sees, tools that the provider runs, a prompt with pictures,
 * with sound or kept by the provider. Whoever left right before the report had them for nothing.
 */
export function needsReport({ ask, price, stream, longestPauseMs }: StreamLeft): boolean {
  if (price.unit !== "token" || ask.media !== undefined) return false;
  const { hasImages, isOpen, audioPromptTokens, toolFees } = ask.prompt;
  if (toolFees > 0) return true;
  if ((stream.usage?.promptTokens ?? 0) === 0 && (hasImages || isOpen || audioPromptTokens > 0)) return true;
  return longestPauseMs > UNSEEN_THOUGHT_MS && (stream.usage?.reasoningTokens ?? 0) === 0;
}

/** A stream whose caller has left, read on for a while for its provider's report. What comes of the answer meanwhile costs nothing. */
export class LeftStream implements DeliveredStream {
  readonly cut: Interruption;
  readonly #stream: DeliveredStream;
  readonly #delivered: Usage;
  readonly #reportedBefore: Usage | undefined;
  readonly #timer: NodeJS.Timeout;

  /** `giveUp` is called after so many ms, unless `stop` was before. */
  constructor(stream: DeliveredStream, cut: Interruption, waitMs: number, giveUp: () => void) {
    this.cut = cut;
    this.#stream = stream;
    this.#delivered = usageDelivered(stream);
    this.#reportedBefore = stream.usage;
    this.#timer = setTimeout(giveUp, waitMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** What the report says of what the caller had got: all but the part of the answer, and of thoughts that are shown, that came later. */
  get usage(): Usage | undefined {
    const reported = this.#stream.usage;
    if (reported === undefined) return undefined;
    const { audioCompletionTokens, imageCompletionTokens, completionTokens: seen } = this.#delivered;
    const shown = usageDelivered(this.#stream).completionTokens;
    const hidden = Math.min(reported.reasoningTokens, Math.max(0, reported.completionTokens - shown));
    const before = this.#reportedBefore?.completionTokens ?? 0;
    const completionTokens = Math.max(before, Math.min(reported.completionTokens, hidden + seen));
    return {
      ...reported,
      completionTokens,
      reasoningTokens: Math.min(reported.reasoningTokens, completionTokens),
      audioCompletionTokens: Math.min(reported.audioCompletionTokens, audioCompletionTokens),
      imageCompletionTokens: Math.min(reported.imageCompletionTokens, imageCompletionTokens),
    };
  }

  /** As long as the caller was there. */
  deliveredTokens(): number {
    const { completionTokens, audioCompletionTokens, imageCompletionTokens } = this.#delivered;
    return completionTokens - audioCompletionTokens - imageCompletionTokens;
  }

  get beside(): DeliveredStream["beside"] {
    return this.#delivered;
  }
}
