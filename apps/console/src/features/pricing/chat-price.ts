import type { OfferedPrice } from "@one-api/contract/prices/pricing";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import { usePrices } from "./pricing-queries.ts";

/** Tokens of a typical chat. */
export const CHAT_TOKENS = { input: 1_000, output: 500 } as const;

const MILLION = 1_000_000;

function priceOf({ input, output }: Pick<OfferedPrice, "input" | "output">): number {
  return (input * CHAT_TOKENS.input + output * CHAT_TOKENS.output) / MILLION;
}

/** Returns the least dollars that a typical chat costs the viewer, by model. Without models whose price by tokens is unknown. */
export function useChatPrices(): ReadonlyMap<string, number> {
  const { pricing_enabled: isOn } = useStoredStatus();
  const { data = [] } = usePrices(isOn);
  const prices = new Map<string, number>();
  for (const offer of data) {
    if (offer.is_unpriced === true || offer.input_only === true || offer.unit_price !== undefined) continue;
    prices.set(offer.model, Math.min(priceOf(offer), prices.get(offer.model) ?? Infinity));
  }
  return prices;
}
