/** Highest price factor of any provider's tier: OpenAI's ultrafast mode. Unknown tiers cost this much. */
export const DEAREST_TIER_FACTOR = 6;
