/** Price units besides tokens: images, spoken characters, seconds of a recording, document searches, whole requests. */
export const OTHER_PRICE_UNITS = ["image", "character", "second", "search", "request"] as const;

export const PRICE_UNITS = ["token", ...OTHER_PRICE_UNITS] as const;

export type PriceUnit = (typeof PRICE_UNITS)[number];

/** Amounts for which prices are stated: a million tokens or characters, one image, a minute, a thousand searches, a request. */
const PRICED_AMOUNT: Readonly<Record<PriceUnit, number>> = {
  token: 1_000_000,
  image: 1,
  character: 1_000_000,
  second: 60,
  search: 1_000,
  request: 1,
};

/** Quota of the stated amount of a unit at a ratio. */
export function quotaOfUnit(unit: PriceUnit, ratio: number): number {
  const { tokens, per } = TOKENS_OF_UNIT[unit];
  return (ratio * tokens * PRICED_AMOUNT[unit]) / per;
}

/**
 * Tokens that one unit counts as (`per`: for so many units), from One API's tables: ratio 20 is $0.04 an image, 15 is
 * $0.006 a minute, 7.5 is $15 a million characters, 1 is $2 a thousand searches.
 */
export const TOKENS_OF_UNIT: Readonly<Record<PriceUnit, { readonly tokens: number; readonly per: number }>> = {
  token: { tokens: 1, per: 1 },
  image: { tokens: 1_000, per: 1 },
  character: { tokens: 1, per: 1 },
  second: { tokens: 200, per: 60 },
  search: { tokens: 1_000, per: 1 },
  request: { tokens: 1_000, per: 1 },
};
