import { channelTypeLabel } from "@one-api/contract/channels/channel-types";
import type { OfferedPrice } from "@one-api/contract/prices/pricing";

/** Returns the names of the providers that offer a model at the price. */
export function providersOf({ types }: OfferedPrice, language: string): string[] {
  return types.map((type) => channelTypeLabel(type, language) ?? String(type));
}
