/** Fewer requests give no failure rate. */
export const LEAST_RATED_REQUESTS = 20;
const TROUBLED_RATE = 0.05;
/** Of fewer requests, so many and such a part must have failed. */
const FEW = { errors: 5, rate: 0.2 } as const;

/** Tells whether a channel's failures of a day need attention: the one rule of lists, orders and warnings. */
export function isTroubledRate({ requests, errors }: { readonly requests: number; readonly errors: number }): boolean {
  if (requests >= LEAST_RATED_REQUESTS) return errors >= requests * TROUBLED_RATE;
  return errors >= FEW.errors && errors >= requests * FEW.rate;
}
