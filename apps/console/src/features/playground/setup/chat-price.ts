import { usePrices } from "../../pricing/pricing-queries.ts";
import { useStoredStatus } from "../../../lib/state/stored-status.ts";

/** Tokens of a typical chat. */
export const CHAT_TOKENS = { input: 1_000, output: 500 } as const;

const MILLION = 1_000_000;

/** Returns the dollars that a typical chat with a model costs the viewer at least; undefined without a known price by tokens. */
export function useChatPrice(): (model: string) => number | undefined {
  const { pricing_enabled: isOn } = useStoredStatus();
  const { data = [] } = usePrices(isOn);
  return (model) => {
    const prices = data
      .filter((offer) => offer.model === model && !offer.is_unpriced && !offer.input_only && !offer.unit_price)
      .map(({ input, output }) => (input * CHAT_TOKENS.input + output * CHAT_TOKENS.output) / MILLION);
    return prices.length === 0 ? undefined : Math.min(...prices);
  };
}
