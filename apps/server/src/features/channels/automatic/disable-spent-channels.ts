import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { nowSeconds } from "../../../platform/clock.ts";
import { inTransaction } from "../../../core/transaction.ts";
import { recordAlert } from "../../alerts/index.ts";
import { hasSpentLimit } from "../channel.policy.ts";
import { changeChannel, listSpentChannels } from "../channel.repository.ts";
import { type AutomaticContext, disableInTransaction } from "./change-channel-automatically.ts";

/**
 * Disables every enabled channel that has reached its spending limit, or the given one, and alerts root.
 * `quotaPerUnit` is the quota of one dollar. Returns the number of disabled channels.
 */
export async function disableSpentChannels(
  context: AutomaticContext,
  quotaPerUnit: number,
  channelId?: number,
): Promise<number> {
  const spent = await listSpentChannels(context.database.db, quotaPerUnit, channelId);
  let disabled = 0;
  for (const { id } of spent) {
    if (await disableSpent(context, id, quotaPerUnit)) disabled += 1;
  }
  if (disabled > 0) context.changes.announce("channels");
  return disabled;
}

/**
 * Locks the row and checks the limit again, as an administrator may have changed it. Of concurrent servers
 * one disables the channel.
 */
async function disableSpent(context: AutomaticContext, id: number, quotaPerUnit: number): Promise<boolean> {
  return inTransaction(context.database, async (transaction) => {
    const channel = await changeChannel(transaction, id, { status: CHANNEL_STATUS.enabled }, [CHANNEL_STATUS.enabled]);
    if (channel === undefined || !hasSpentLimit(channel, quotaPerUnit)) return false;
    const { name, soft_limit_usd: limitUsd } = channel;
    const spentUsd = ((channel.used_quota - channel.soft_limit_base_quota) / quotaPerUnit).toFixed(2);
    const parts = { used: Number(spentUsd), limit: limitUsd };
    const message = `It has spent $${spentUsd} of its limit of $${limitUsd}.`;
    await disableInTransaction(transaction, context, id, { code: "spending-limit", message, parts });
    await recordAlert(transaction, { kind: "channel-spent", id, name, spentUsd, limitUsd }, nowSeconds(context.clock));
    return true;
  });
}
