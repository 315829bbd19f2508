import { channelTypeLabel } from "@one-api/contract/channels/channel-types";
import type { OfferedPrice } from "@one-api/contract/prices/pricing";

export function providersOf({ types }: OfferedPrice, language: string): string[] {
  return types.map((type) => channelTypeLabel(type, language) ?? String(type));
}
