import { CHANNEL_STATUS } from "@one-api/contract/channel";
import { checkCaller } from "./callers/authenticate-token.ts";
import type { ActiveRelay, RelayParties } from "./active-relays.ts";
import type { RelayDependencies } from "./relay-dependencies.ts";
import { RelayError } from "./relay-error.ts";

/**
 * Ends the requests in flight that could not be made any more: their token, its user or their channel was disabled, deleted or has expired
 * since. They are charged for what was delivered.
 */
export async function endRevoked(
  deps: Pick<RelayDependencies, "active" | "callers" | "channels" | "loadChannel" | "clock">,
): Promise<void> {
  const ofKeys = new Map<string, Promise<RelayError | undefined>>();
  const ofChannels = new Map<number, Promise<RelayError | undefined>>();
  const refusalOf = async ({ key, channelId }: RelayParties): Promise<RelayError | undefined> => {
    const ofKey = ofKeys.get(key) ?? checkKey(deps, key);
    ofKeys.set(key, ofKey);
    const refusal = await ofKey;
    if (refusal !== undefined || channelId === undefined) return refusal;
    const ofChannel = ofChannels.get(channelId) ?? checkChannel(deps, channelId);
    ofChannels.set(channelId, ofChannel);
    return ofChannel;
  };
  await Promise.all(
    deps.active.list().map(async (relay: ActiveRelay) => {
      const { parties } = relay;
      const refusal = parties === undefined ? undefined : await refusalOf(parties);
      if (refusal !== undefined) relay.end(refusal);
    }),
  );
}

async function checkKey(
  { callers, clock }: Pick<RelayDependencies, "callers" | "clock">,
  key: string,
): Promise<RelayError | undefined> {
  const found = await callers.find(key);
  try {
    // Where the call comes from was looked at when it came.
    checkCaller(found === undefined ? undefined : { ...found, networks: undefined }, "", clock.nowMs());
    return undefined;
  } catch (error) {
    if (error instanceof RelayError) return error;
    throw error;
  }
}

async function checkChannel(
  { channels, loadChannel }: Pick<RelayDependencies, "channels" | "loadChannel">,
  channelId: number,
): Promise<RelayError | undefined> {
  if ((await channels.snapshot()).serves(channelId)) return undefined;
  const channel = await loadChannel(channelId);
  if (channel !== undefined && channel.status !== CHANNEL_STATUS.disabled) return undefined;
  return new RelayError({
    status: 503,
    code: "channel_disabled",
    message: "The channel of this answer was disabled, so the answer ends here. Try again.",
  });
}
