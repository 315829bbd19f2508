import type { Channel } from "@one-api/contract/channel";
import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import type { ChannelSleep } from "./channel-dependencies.ts";
import { indexChannels, unindexChannels } from "./channel-model.repository.ts";
import { channelNotFound } from "./channel.policy.ts";
import { presentChannel } from "./channel.present.ts";
import { type ChannelChanges, type ChannelRow, changeChannel, lockSealedChannel } from "./channel.repository.ts";
import { describeFields } from "./describe-fields.ts";
import { type ChannelEditInput, editChannel } from "./edit-channel.ts";

/** Changes the named fields of a channel; an empty key keeps the stored one. Throws `not-found` and `invalid-input`. */
export async function updateChannel(
  context: CallContext,
  sleep: ChannelSleep,
  input: ChannelEditInput,
): Promise<Channel> {
  const row = await inTransaction(context.database, async (transaction) => {
    const before = await lockSealedChannel(transaction, input.id);
    if (before === undefined) throw channelNotFound();
    const shownStatus = presentChannel(before, sleep).status;
    const changes = editChannel(before, input, shownStatus, context.secrets);
    const after = Object.keys(changes).length === 0 ? before : await changeChannel(transaction, input.id, changes);
    if (after === undefined) throw channelNotFound();
    await updateIndex(transaction, after, changes);
    const detail = describeFields(changes);
    await recordAudit(transaction, context, { action: "channel.update", object: `channel:${input.id}`, detail });
    return { after, freshStart: changes.status !== undefined || changes.key_cipher !== undefined };
  });
  if (row.freshStart) sleep.forget(input.id);
  context.changes.announce("channels");
  return presentChannel(row.after, sleep);
}

async function updateIndex(queryable: Queryable, channel: ChannelRow, changes: ChannelChanges): Promise<void> {
  if (changes.models === undefined && changes.group === undefined) return;
  await unindexChannels(queryable, [channel.id]);
  await indexChannels(queryable, [channel]);
}
