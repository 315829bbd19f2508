import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import type { BulkOutcome } from "@one-api/contract/channels/channel-bulk";
import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { forEachChannel } from "./bulk/for-each-channel.ts";
import { channelNotFound } from "./channel.policy.ts";
import { deleteChannelRow, deleteChannelsIn, findChannel } from "./channel.repository.ts";

const DISABLED: readonly number[] = [CHANNEL_STATUS.disabled, CHANNEL_STATUS.autoDisabled];

/** Throws `channel-not-found`. */
export async function deleteChannel(context: CallContext, id: number): Promise<void> {
  await inTransaction(context.database, (transaction) => deleteInTransaction(transaction, context, id));
  context.changes.announce("channels");
}

/** Outcomes follow the order of the ids. */
export function deleteChannels(context: CallContext, ids: readonly number[]): Promise<BulkOutcome[]> {
  return forEachChannel(context, ids, async (transaction, id) => {
    const name = await deleteInTransaction(transaction, context, id);
    return { id, name, code: "", message: "" };
  });
}

async function deleteInTransaction(transaction: Queryable, context: CallContext, id: number): Promise<string> {
  const before = await findChannel(transaction, id);
  if (before === undefined || !(await deleteChannelRow(transaction, id))) throw channelNotFound(id);
  await recordAudit(transaction, context, {
    action: "channel.delete",
    object: `channel:${id}`,
    detail: { name: before.name, type: before.type, used_quota: before.used_quota },
  });
  return before.name;
}

/** Deletes all channels that an administrator or the gateway disabled. Returns their number. */
export async function deleteDisabledChannels(context: CallContext): Promise<number> {
  const ids = await inTransaction(context.database, async (transaction) => {
    const deleted = await deleteChannelsIn(transaction, DISABLED);
    for (const { id, name } of deleted) {
      const object = `channel:${id}`;
      await recordAudit(transaction, context, { action: "channel.delete-disabled", object, detail: { name } });
    }
    return deleted;
  });
  if (ids.length > 0) context.changes.announce("channels");
  return ids.length;
}
