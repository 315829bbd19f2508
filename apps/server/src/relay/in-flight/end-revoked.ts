import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import type { Clock } from "../../platform/clock.ts";
import { type CallerSource, checkCaller } from "../callers/index.ts";
import { RelayError } from "../errors/index.ts";
import type { InFlightRequests } from "./in-flight-requests.ts";

/** Keys or channels that are looked up at once, so that other queries run in between. */
const LOOKUPS_AT_ONCE = 20;

interface ServingChannels {
  serves(channelId: number): boolean;
}

interface RevocationServices {
  readonly inFlight: Pick<InFlightRequests, "list">;
  readonly callers: Pick<CallerSource, "find">;
  readonly channels: { snapshot(): ServingChannels | Promise<ServingChannels> };
  readonly loadChannel: (channelId: number) => Promise<{ readonly status: number } | undefined>;
  readonly clock: Pick<Clock, "nowMs">;
}

/** Ends requests in flight whose token, user or channel was disabled, deleted or has expired. Their delivered parts are charged. */
export async function endRevoked(services: RevocationServices): Promise<void> {
  const running = services.inFlight.list().flatMap((request) => {
    const { parties } = request;
    return parties === undefined ? [] : [{ request, parties }];
  });
  const keys = new Set(running.map(({ parties }) => parties.key));
  const byKey = await checkEach(keys, (key) => checkKey(services, key));
  const channels = new Set(running.flatMap(({ parties }) => parties.channelId ?? []));
  const byChannel = await checkEach(channels, (channelId) => checkChannel(services, channelId));
  for (const { request, parties } of running) {
    const { key, channelId } = parties;
    const refusal = byKey.get(key) ?? (channelId === undefined ? undefined : byChannel.get(channelId));
    if (refusal !== undefined) request.end(refusal);
  }
}

async function checkEach<Id>(
  ids: ReadonlySet<Id>,
  check: (id: Id) => Promise<RelayError | undefined>,
): Promise<ReadonlyMap<Id, RelayError | undefined>> {
  const refusals = new Map<Id, RelayError | undefined>();
  const left = [...ids];
  while (left.length > 0) {
    const some = left.splice(-LOOKUPS_AT_ONCE);
    await Promise.all(some.map(async (id) => refusals.set(id, await check(id))));
  }
  return refusals;
}

async function checkKey(
  { callers, clock }: Pick<RevocationServices, "callers" | "clock">,
  key: string,
): Promise<RelayError | undefined> {
  const found = await callers.find(key);
  try {
    // The request's network address was checked when it arrived.
    checkCaller(found === undefined ? undefined : { ...found, networks: undefined }, "", clock.nowMs());
    return undefined;
  } catch (error) {
    if (error instanceof RelayError) return error;
    throw error;
  }
}

async function checkChannel(
  { channels, loadChannel }: Pick<RevocationServices, "channels" | "loadChannel">,
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
