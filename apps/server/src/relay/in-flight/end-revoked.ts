import { CHANNEL_STATUS } from "@one-api/contract/channels/channel";
import { checkCaller } from "../callers/authenticate-token.ts";
import type { CallerSource } from "../callers/caller-source.ts";
import type { RelayDependencies } from "../relay-dependencies.ts";
import { RelayError } from "../errors/relay-error.ts";

/** So many keys and channels are asked for at once, so that other work with the database has its turns. */
const ASKED_AT_ONCE = 20;

interface RevocationDependencies extends Pick<RelayDependencies, "active" | "channels" | "loadChannel" | "clock"> {
  readonly callers: Pick<CallerSource, "find">;
}

/**
 * Ends the requests in flight that could not be made any more: their token, its user or their channel was disabled, deleted or has expired
 * since. They are charged for what was delivered.
 */
export async function endRevoked(deps: RevocationDependencies): Promise<void> {
  const running = deps.active.list().flatMap((relay) => {
    const { parties } = relay;
    return parties === undefined ? [] : [{ relay, parties }];
  });
  const ofKeys = await askEach(new Set(running.map(({ parties }) => parties.key)), (key) => checkKey(deps, key));
  const channels = new Set(running.flatMap(({ parties }) => parties.channelId ?? []));
  const ofChannels = await askEach(channels, (channelId) => checkChannel(deps, channelId));
  for (const { relay, parties } of running) {
    const { key, channelId } = parties;
    const refusal = ofKeys.get(key) ?? (channelId === undefined ? undefined : ofChannels.get(channelId));
    if (refusal !== undefined) relay.end(refusal);
  }
}

async function askEach<Id>(
  ids: ReadonlySet<Id>,
  ask: (id: Id) => Promise<RelayError | undefined>,
): Promise<ReadonlyMap<Id, RelayError | undefined>> {
  const answers = new Map<Id, RelayError | undefined>();
  const left = [...ids];
  while (left.length > 0) {
    const some = left.splice(-ASKED_AT_ONCE);
    await Promise.all(some.map(async (id) => answers.set(id, await ask(id))));
  }
  return answers;
}

async function checkKey(
  { callers, clock }: Pick<RevocationDependencies, "callers" | "clock">,
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
