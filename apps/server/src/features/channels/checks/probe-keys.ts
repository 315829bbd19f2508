import type { CallContext } from "../../../core/call-context.ts";
import { placeOf } from "../../../core/secrets.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import type { ChannelDependencies } from "../channel-dependencies.ts";
import { pauseAfter } from "../checks/due-checks.ts";
import { loadChannelForRelay } from "../load-channels-for-relay.ts";
import { modelToProbe } from "../upstream/test-channel.ts";
import { enableKeyAutomatically } from "../keys/change-key-automatically.ts";
import { claimProbe, type KeyRow, listProbedKeys, listSealedKeys } from "../keys/key.repository.ts";

type ProbeDependencies = Pick<ChannelDependencies, "log" | "probeChannel" | "cheapestModel" | "cooldowns">;

/**
 * Probes keys that the gateway disabled, of channels that other keys serve, with the pauses of channels. One of several
 * servers probes each. A failure is logged and never thrown.
 */
export async function probeKeys(
  context: CallContext,
  deps: ProbeDependencies,
  isStopping: () => boolean,
): Promise<void> {
  const { db } = context.database;
  const now = nowSeconds(context.clock);
  for (const key of (await listProbedKeys(db, now)).filter((row) => isDue(row, now))) {
    if (isStopping()) return;
    if (!(await claimProbe(db, key, now + pauseAfter(key.failed_probes + 1)))) continue;
    try {
      await probeKey(context, deps, key);
    } catch (error) {
      deps.log.warn({ err: error, channelId: key.channel_id, keyId: key.id }, "a key of a channel could not be probed");
    }
  }
}

function isDue({ probe_time: probeTime, disabled_at: disabledAt }: KeyRow, now: number): boolean {
  return (probeTime === 0 ? disabledAt + pauseAfter(0) : probeTime) <= now;
}

async function probeKey(context: CallContext, deps: ProbeDependencies, key: KeyRow): Promise<void> {
  const { database, secrets } = context;
  const { channel_id: channelId, id } = key;
  const channel = await loadChannelForRelay(database.db, secrets, channelId);
  const model = channel && modelToProbe(channel, deps.cheapestModel);
  const sealed = (await listSealedKeys(database.db, channelId)).get(channelId)?.find((row) => row.id === id);
  if (channel === undefined || model === undefined || sealed === undefined) return;
  const text = secrets.open("channel-key", sealed.key_cipher, placeOf("channels", channelId, channel.name));
  const outcome = await deps.probeChannel({ ...channel, connection: { ...channel.connection, key: text } }, model);
  if (outcome.ok && (await enableKeyAutomatically(context, channelId, id))) deps.cooldowns.forgetKey(channelId, id);
}
