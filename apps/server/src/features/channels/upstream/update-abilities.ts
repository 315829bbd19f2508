import { recordAudit } from "../../../core/audit.ts";
import type { CallContext } from "../../../core/call-context.ts";
import { inTransaction } from "../../../core/transaction.ts";
import { indexChannels, lockServedModels, unindexChannels } from "../channel.repository.ts";

/** Makes the model index anew from what each channel says that it serves. */
export async function updateAbilities(context: CallContext): Promise<void> {
  await inTransaction(context.database, async (transaction) => {
    const channels = await lockServedModels(transaction);
    // Only these: the rows of a channel that is being created right now must stay.
    await unindexChannels(
      transaction,
      channels.map(({ id }) => id),
    );
    await indexChannels(transaction, channels);
    await recordAudit(transaction, context, {
      action: "channel.update-abilities",
      object: "channels",
      detail: { channels: channels.length },
    });
  });
  context.changes.announce("channels");
}
