/** The dearest tier of any provider, as a multiple of the usual price: OpenAI's ultrafast mode. Tiers that no table knows cost this much. */
export const DEAREST_TIER_FACTOR = 6;
