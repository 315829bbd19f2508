/** Units of prices that are not per token: pictures, spoken characters, seconds of a recording, searches of documents. */
export const OTHER_PRICE_UNITS = ["image", "character", "second", "search"] as const;

/** Every unit of a model's price. */
export const PRICE_UNITS = ["token", ...OTHER_PRICE_UNITS] as const;

export type PriceUnit = (typeof PRICE_UNITS)[number];

/** Of how many of each people name the price: a million tokens or characters, one picture, a minute, a thousand searches. */
const PRICED_AMOUNT: Readonly<Record<PriceUnit, number>> = {
  token: 1_000_000,
  image: 1,
  character: 1_000_000,
  second: 60,
  search: 1_000,
};

/** What the amount of the unit that people name costs in quota at a ratio. */
export function quotaOfUnit(unit: PriceUnit, ratio: number): number {
  const { tokens, per } = TOKENS_OF_UNIT[unit];
  return (ratio * tokens * PRICED_AMOUNT[unit]) / per;
}

/**
 * What one of each counts for where ratios are applied, as One API's tables have it: a picture is 1,000 tokens (ratio 20 is $0.04), a minute of a
 * recording 200 (ratio 15 is $0.006), a character one (ratio 7.5 is $15 a million), a search 1,000 (ratio 1 is $2 a thousand). `per`: so many of the unit.
 */
export const TOKENS_OF_UNIT: Readonly<Record<PriceUnit, { readonly tokens: number; readonly per: number }>> = {
  token: { tokens: 1, per: 1 },
  image: { tokens: 1_000, per: 1 },
  character: { tokens: 1, per: 1 },
  second: { tokens: 200, per: 60 },
  search: { tokens: 1_000, per: 1 },
};
