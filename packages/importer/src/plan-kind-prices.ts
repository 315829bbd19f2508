import { type DatedPrice, isPriceInDollars } from "@one-api/contract/prices/model-prices";
import type { GatewayPrice, GatewayRules, SetPrices } from "./gateway-rules.ts";
import type { ImportFindings } from "./import-findings.ts";
import type { OldPrices } from "./money/old-prices.ts";

/** Type of a channel that takes prices from all lists. */
export const ANY_TYPE = 8;

const DOLLARS_AT_RATIO_ONE = 2;
const TOLERANCE = 1e-6;
const DIGITS = 12;

/** Multiples of the input price of a model. */
interface KindRatios {
  readonly cached: number;
  readonly cacheWrite: number;
  readonly image: number;
  readonly audio: number;
  readonly audioCompletion: number;
}

/**
 * Returns the prices of models with ratios of cache, images or audio that differ from those here. Models without a
 * ModelRatio in the settings stay with the maintained list.
 */
export function kindPrices(
  prices: OldPrices,
  set: SetPrices,
  rules: Pick<GatewayRules, "priceOf">,
  findings: ImportFindings,
): ReadonlyMap<string, DatedPrice> {
  const { cacheRatios, cacheWriteRatios, imageRatios, audioRatios, audioCompletionRatios } = prices;
  const tables = [cacheRatios, cacheWriteRatios, imageRatios, audioRatios, audioCompletionRatios];
  const found = new Map<string, DatedPrice>();
  for (const model of new Set(tables.flatMap((table) => [...table.keys()]))) {
    const here = rules.priceOf(set, { model, type: ANY_TYPE, group: "default" });
    const there = ratiosThere(prices, model, here);
    if (here.unit !== "token" || isAsHere(there, here)) continue;
    const price = inDollars(here, there);
    const isPriced = (prices.modelRatios.get(model) ?? 0) > 0;
    if (isPriced && isPriceInDollars(price)) found.set(model, price);
    else findings.leaveOut("setting", `${model}, ratios of cache, images or audio`, "has no ModelRatio that they are multiples of"); // prettier-ignore
  }
  return found;
}

function ratiosThere(prices: OldPrices, model: string, here: GatewayPrice): KindRatios {
  const audio = prices.audioRatios.get(model) ?? here.audioRatio;
  const ofAudio = prices.audioCompletionRatios.get(model);
  return {
    cached: prices.cacheRatios.get(model) ?? here.cachedRatio,
    cacheWrite: prices.cacheWriteRatios.get(model) ?? here.cacheWriteRatio,
    image: prices.imageRatios.get(model) ?? here.imageRatio,
    audio,
    // There it is a multiple of the audio input.
    audioCompletion: ofAudio === undefined ? here.audioCompletionRatio : audio * ofAudio,
  };
}

function isAsHere(there: KindRatios, here: GatewayPrice): boolean {
  const differences = [
    there.cached - here.cachedRatio,
    there.cacheWrite - here.cacheWriteRatio,
    there.image - here.imageRatio,
    there.audio - here.audioRatio,
    there.audioCompletion - here.audioCompletionRatio,
  ];
  return differences.every((difference) => Math.abs(difference) < TOLERANCE);
}

function inDollars({ modelRatio, completionRatio }: GatewayPrice, there: KindRatios): DatedPrice {
  const dollars = (ratio: number) => Number((modelRatio * ratio * DOLLARS_AT_RATIO_ONE).toPrecision(DIGITS));
  const unless = (name: string, ratio: number, usual: number) => (ratio === usual ? {} : { [name]: dollars(ratio) });
  return {
    input: dollars(1),
    output: dollars(completionRatio),
    ...unless("cached_input", there.cached, 1),
    ...unless("cache_write", there.cacheWrite, 1),
    ...unless("image_input", there.image, 1),
    ...unless("audio_input", there.audio, 1),
    ...unless("audio_output", there.audioCompletion, completionRatio),
  };
}
