import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import { inTransaction } from "../../core/transaction.ts";
import { clearModelIndex, indexChannels } from "./channel-model.repository.ts";
import { listServedModels } from "./channel.repository.ts";

/** Makes the model index anew from what each channel says that it serves. */
export async function updateAbilities(context: CallContext): Promise<void> {
  await inTransaction(context.database, async (transaction) => {
    const channels = await listServedModels(transaction);
    await clearModelIndex(transaction);
    await indexChannels(transaction, channels);
    await recordAudit(transaction, context, {
      action: "channel.update-abilities",
      object: "channels",
      detail: { channels: channels.length },
    });
  });
  context.changes.announce("channels");
}
