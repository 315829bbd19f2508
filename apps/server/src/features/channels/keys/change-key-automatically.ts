import { KEY_STATUS } from "@one-api/contract/channels/channel-constants";
import { recordAudit } from "../../../core/audit.ts";
import { contextOfGateway } from "../../../core/call-context.ts";
import { inTransaction, type Queryable } from "../../../core/transaction.ts";
import { recordAlert } from "../../alerts/index.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import {
  alertDisabled,
  type AutomaticContext,
  type ChannelReason,
  disableInTransaction,
  hintColumn,
} from "../automatic/change-channel-automatically.ts";
import { lockSealedChannel, type SealedChannelRow } from "../channel.repository.ts";
import { changeKey, ENABLED_KEY, type KeyRow, listKeys } from "./key.repository.ts";

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
    const channel = await lockSealedChannel(transaction, channelId);
    if (channel === undefined) return false;
    const changes = {
      status: KEY_STATUS.autoDisabled,
      status_reason: reason.message.slice(0, LONGEST_REASON),
      status_hint: hintColumn(context, reason),
      disabled_at: now,
      probe_time: 0,
      failed_probes: 0,
    };
    const row = await changeKey(transaction, { channelId, keyId }, changes, [KEY_STATUS.enabled]);
    if (row === undefined) return false;
    await recordAudit(transaction, contextOfGateway(context), {
      action: "channel.disable-key-automatically",
      object: `channel:${channelId}`,
      detail: { key_end: row.key_end, cause: reason.code, reason: row.status_reason },
    });
    const left = (await listKeys(transaction, channelId)).filter(({ status }) => status === KEY_STATUS.enabled).length;
    if (left > 0) await alertKeyDisabled(transaction, channel, { ...row, left, code: reason.code }, now);
    const disabled = left === 0 ? await disableInTransaction(transaction, context, channelId, reason) : undefined;
    if (disabled !== undefined) await alertDisabled(transaction, disabled, reason, now);
    return true;
  });
  if (isDisabled) context.changes.announce("channels");
  return isDisabled;
}

interface DisabledKey extends Pick<KeyRow, "key_end" | "status_reason"> {
  readonly code: ChannelReason["code"];
  readonly left: number;
}

/** The end of the last key is the channel's, which has an alert of its own. */
async function alertKeyDisabled(
  transaction: Queryable,
  { id, name }: SealedChannelRow,
  { key_end: end, status_reason: reason, left: enabled, code }: DisabledKey,
  at: number,
): Promise<void> {
  await recordAlert(transaction, { kind: "channel-key-disabled", id, name, end, enabled, code, reason }, at);
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
      detail: { key_end: row.key_end },
    });
    return true;
  });
  if (isEnabled) context.changes.announce("channels");
  return isEnabled;
}
