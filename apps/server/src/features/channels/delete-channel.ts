import { CHANNEL_STATUS } from "@one-api/contract/channel";
import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import { inTransaction } from "../../core/transaction.ts";
import { channelNotFound } from "./channel.policy.ts";
import { deleteChannelRow, deleteChannelsIn, findChannel } from "./channel.repository.ts";

const DISABLED: readonly number[] = [CHANNEL_STATUS.disabled, CHANNEL_STATUS.autoDisabled];

/** Deletes a channel. Throws `channel-not-found`. */
export async function deleteChannel(context: CallContext, id: number): Promise<void> {
  await inTransaction(context.database, async (transaction) => {
    const before = await findChannel(transaction, id);
    if (before === undefined || !(await deleteChannelRow(transaction, id))) throw channelNotFound(id);
    await recordAudit(transaction, context, {
      action: "channel.delete",
      object: `channel:${id}`,
      detail: { name: before.name, type: before.type, used_quota: before.used_quota },
    });
  });
  context.changes.announce("channels");
}

/** Deletes every channel that is disabled, by hand or automatically. Returns how many there were. */
export async function deleteDisabledChannels(context: CallContext): Promise<number> {
  const ids = await inTransaction(context.database, async (transaction) => {
    const deleted = await deleteChannelsIn(transaction, DISABLED);
    for (const id of deleted) {
      await recordAudit(transaction, context, { action: "channel.delete-disabled", object: `channel:${id}` });
    }
    return deleted;
  });
  if (ids.length > 0) context.changes.announce("channels");
  return ids.length;
}
