import type { Price } from "./price-model.ts";

export interface PriceCeiling {
  readonly inputTo: number | undefined;
  readonly outputTo: number | undefined;
  readonly promptTokens: number;
}

/** Model ratio 1 is $2 per million input tokens. */
const DOLLARS_PER_RATIO = 2;
/** Multiplied ratios differ from the decimals that people write by less than this part. */
const ROUNDING = 1e-9;

/**
 * `tierFactor`: price factor of the requested service tier. A price in another unit than tokens cannot be compared, so it
 * is above every ceiling.
 */
export function isAboveCeiling(
  price: Price,
  { inputTo, outputTo, promptTokens }: PriceCeiling,
  tierFactor: number,
): boolean {
  if (price.unit !== "token") return true;
  const step = price.steps?.findLast(({ above }) => promptTokens > above);
  const { modelRatio, groupRatio, completionRatio } = step?.price ?? price;
  const input = modelRatio * groupRatio * DOLLARS_PER_RATIO * tierFactor;
  return isAbove(input, inputTo) || isAbove(input * completionRatio, outputTo);
}

function isAbove(dollars: number, to: number | undefined): boolean {
  return to !== undefined && dollars > to * (1 + ROUNDING);
}
