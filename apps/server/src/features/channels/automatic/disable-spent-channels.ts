import { LOG_TYPE } from "@one-api/contract/log";
import { nowSeconds } from "../../../core/clock.ts";
import { inTransaction } from "../../../core/transaction.ts";
import { writeLog } from "../../logs/index.ts";
import { type ChannelRow, listSpentChannels } from "../channel.repository.ts";
import { type AutomaticContext, disableInTransaction } from "./change-channel-automatically.ts";

/**
 * Disables every enabled channel that has spent its limit, or that one if it has, and tells it in the system log. `quotaPerUnit` is the quota of one dollar.
 * Returns how many there were.
 */
export async function disableSpentChannels(
  context: AutomaticContext,
  quotaPerUnit: number,
  channelId?: number,
): Promise<number> {
  const spent = await listSpentChannels(context.database.db, quotaPerUnit, channelId);
  let disabled = 0;
  for (const channel of spent) {
    if (await disableSpent(context, channel, quotaPerUnit)) disabled += 1;
  }
  if (disabled > 0) context.changes.announce("channels");
  return disabled;
}

/** Of several processes that see it, one disables the channel and writes the row. */
async function disableSpent(context: AutomaticContext, channel: ChannelRow, quotaPerUnit: number): Promise<boolean> {
  const spentUsd = ((channel.used_quota - channel.soft_limit_base_quota) / quotaPerUnit).toFixed(2);
  const message = `It has spent $${spentUsd} of its limit of $${channel.soft_limit_usd}.`;
  return inTransaction(context.database, async (transaction) => {
    const reason = { code: "spending-limit" as const, message };
    const row = await disableInTransaction(transaction, context, channel.id, reason);
    if (row === undefined) return false;
    await writeLog(transaction, {
      created_at: nowSeconds(context.clock),
      type: LOG_TYPE.system,
      content: `Channel ${row.name} (${row.id}) was disabled. ${message} Raise the limit or enable the channel to use it again.`,
      channel_id: row.id,
    });
    return true;
  });
}
