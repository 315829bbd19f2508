import { nowSeconds } from "../../../core/clock.ts";
import { inTransaction } from "../../../core/transaction.ts";
import { noteAlert } from "../../alerts/index.ts";
import { type ChannelRow, listSpentChannels } from "../channel.repository.ts";
import { type AutomaticContext, disableInTransaction } from "./change-channel-automatically.ts";

/**
 * Disables every enabled channel that has spent its limit, or that one if it has, and has root told. `quotaPerUnit` is the quota of one dollar.
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
    const limitUsd = channel.soft_limit_usd;
    const alert = { kind: "channel-spent", id: row.id, name: row.name, spentUsd, limitUsd } as const;
    await noteAlert(transaction, alert, nowSeconds(context.clock));
    return true;
  });
}
