import { KEY_STATUS } from "@one-api/contract/channels/channel-constants";
import { recordAudit } from "../../../core/audit.ts";
import { contextOfGateway } from "../../../core/call-context.ts";
import { inTransaction } from "../../../core/transaction.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import {
  alertDisabled,
  type AutomaticContext,
  type ChannelReason,
  disableInTransaction,
} from "../automatic/change-channel-automatically.ts";
import { lockSealedChannel } from "../channel.repository.ts";
import { changeKey, ENABLED_KEY, listKeys } from "./key.repository.ts";

const LONGEST_REASON = 500;

/**
 * Disables an enabled key of a channel, and the channel if none is left. Returns false for a key that is not enabled: an
 * administrator's setting stays.
 */
export async function disableKeyAutomatically(
  context: AutomaticContext,
  channelId: number,
  keyId: number,
  reason: ChannelReason,
): Promise<boolean> {
  const now = nowSeconds(context.clock);
  const isDisabled = await inTransaction(context.database, async (transaction) => {
    // Two servers must not each leave the other's last key.
    if ((await lockSealedChannel(transaction, channelId)) === undefined) return false;
    const changes = {
      status: KEY_STATUS.autoDisabled,
      status_reason: reason.message.slice(0, LONGEST_REASON),
      disabled_at: now,
      probe_time: 0,
      failed_probes: 0,
    };
    const row = await changeKey(transaction, { channelId, keyId }, changes, [KEY_STATUS.enabled]);
    if (row === undefined) return false;
    await recordAudit(transaction, contextOfGateway(context), {
      action: "channel.disable-key-automatically",
      object: `channel:${channelId}`,
      detail: { key: row.key_end, cause: reason.code, reason: row.status_reason },
    });
    const isLast = (await listKeys(transaction, channelId)).every(({ status }) => status !== KEY_STATUS.enabled);
    const channel = isLast ? await disableInTransaction(transaction, context, channelId, reason) : undefined;
    if (channel !== undefined) await alertDisabled(transaction, channel, reason, now);
    return true;
  });
  if (isDisabled) context.changes.announce("channels");
  return isDisabled;
}

/** Enables a key that the gateway disabled, after a passed test. */
export async function enableKeyAutomatically(
  context: AutomaticContext,
  channelId: number,
  keyId: number,
): Promise<boolean> {
  const isEnabled = await inTransaction(context.database, async (transaction) => {
    const row = await changeKey(transaction, { channelId, keyId }, ENABLED_KEY, [KEY_STATUS.autoDisabled]);
    if (row === undefined) return false;
    await recordAudit(transaction, contextOfGateway(context), {
      action: "channel.enable-key-automatically",
      object: `channel:${channelId}`,
      detail: { key: row.key_end },
    });
    return true;
  });
  if (isEnabled) context.changes.announce("channels");
  return isEnabled;
}
