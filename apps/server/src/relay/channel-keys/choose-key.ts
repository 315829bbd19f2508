import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import type { ChannelKeyForRelay } from "../../features/channels/index.ts";
import {
  type Candidate,
  chooseAtRandom,
  chooseForConversation,
  type RoutingServices,
  weigh,
} from "../routing/index.ts";

/** Connection of one attempt. */
interface KeyedConnection {
  readonly connection: ChannelConnection;
  /** Undefined for a channel of one key. */
  readonly key: ChannelKeyForRelay | undefined;
}

/**
 * Chooses a key of the channel: the conversation's, or by weight, among those without a cooldown. Without such a key it
 * is the first one, for a caller that names the channel.
 */
export function connectWithKey(
  { health, random }: Pick<RoutingServices, "health" | "random">,
  { id, channel, upstreamModel }: Pick<Candidate, "id" | "channel" | "upstreamModel">,
  conversation: number | undefined,
): KeyedConnection {
  const { connection, keys } = channel;
  if (keys === undefined) return { connection, key: undefined };
  const ofKeys = health.keysOf(id);
  const weighed = weigh(
    keys.map((key) => ({ ...key, priority: 0 })),
    (key) => ofKeys.cooldownOf(key.id, upstreamModel)?.reason ?? "",
  );
  const chosen =
    conversation === undefined ? chooseAtRandom(weighed, random()) : chooseForConversation(weighed, conversation);
  const key = chosen ?? keys[0];
  if (key === undefined) return { connection, key };
  ofKeys.recordSent(key.id);
  return { connection: { ...connection, key: key.key }, key };
}
