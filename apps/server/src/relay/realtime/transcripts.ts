import type { PricedRoute } from "../channels/route-plans.ts";
import { costOfModel, priceModel } from "../pricing/price-model.ts";
import { HEARD_TOKENS_PER_SECOND } from "../media/media-ask.ts";
import type { UsageBound } from "../pricing/compute-charge.ts";
import type { RelayDependencies } from "../relay-dependencies.ts";

/** What was said last may wait so often to be written down; of what is older the bound is that of the newest. */
const MOST_WAITING = 64;
/** Nobody speaks faster, in tokens a second. */
const WRITTEN_TOKENS_PER_SECOND = 10;
/** Where nobody knows how much was said: half a minute. */
const UNKNOWN_TOKENS = 30 * HEARD_TOKENS_PER_SECOND;

/** How much the caller has said, item by item, for the model that writes it down. */
export class Transcripts {
  readonly #saidOf = new Map<string, number>();
  #said = 0;

  /** The caller has sent so many tokens of sound more. */
  add(tokens: number): void {
    this.#said += tokens;
  }

  /** What was sent since is one item of the conversation. */
  heard(itemId: string): void {
    if (this.#saidOf.size >= MOST_WAITING) this.#saidOf.clear();
    this.#saidOf.set(itemId, this.#said);
    this.#said = 0;
  }

  /** What writing the item down can use at the most. */
  boundOf(itemId: string): UsageBound {
    const tokens = Math.max(this.#saidOf.get(itemId) ?? UNKNOWN_TOKENS, HEARD_TOKENS_PER_SECOND);
    const seconds = Math.ceil(tokens / HEARD_TOKENS_PER_SECOND);
    this.#saidOf.delete(itemId);
    return {
      promptTokens: 0,
      audioPromptTokens: tokens,
      hasImages: false,
      completionTokens: seconds * WRITTEN_TOKENS_PER_SECOND,
      wantsAudio: false,
      priceFactor: 1,
      toolFees: 0,
      units: { images: 0, imageFactor: 1, characters: 0, searches: 0, seconds, believableSeconds: seconds + 1 },
    };
  }
}

/** The same channel with the price of the model that writes down what it hears. */
export function transcriptRoute(
  { options }: Pick<RelayDependencies, "options">,
  route: PricedRoute,
  model: string,
  group: string,
): PricedRoute {
  const { type, costs } = route.channel;
  return {
    ...route,
    upstreamModel: model,
    price: priceModel(options, model, type, group, "transcriptions"),
    costPrice: costOfModel(model, type, costs, "transcriptions"),
  };
}
