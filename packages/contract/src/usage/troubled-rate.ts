/** Fewer requests give no failure rate. */
export const LEAST_RATED_REQUESTS = 20;
const TROUBLED_RATE = 0.05;
/** One or two failures in a day are no pattern. */
const LEAST_ERRORS = 3;
/** Of fewer requests, so many and such a part must have failed. */
const FEW = { errors: 5, rate: 0.2 } as const;

/** Tells whether a channel's failures of a day need attention: the one rule of lists, orders and warnings. */
export function isTroubledRate({ requests, errors }: { readonly requests: number; readonly errors: number }): boolean {
  if (requests >= LEAST_RATED_REQUESTS) return errors >= LEAST_ERRORS && errors >= requests * TROUBLED_RATE;
  return errors >= FEW.errors && errors >= requests * FEW.rate;
}
