import type { ChannelType } from "@one-api/contract/channels/channel-types";
import type { Provider } from "../../provider.ts";

/** Forwards requests unchanged, by a path that names the channel. It has no models and no endpoints. */
export function proxy(type: ChannelType): Provider {
  return { type, models: [], serve: () => undefined };
}
