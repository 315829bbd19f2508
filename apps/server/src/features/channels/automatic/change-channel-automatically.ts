import { CHANNEL_STATUS } from "@one-api/contract/channel";
import { recordAudit } from "../../../core/audit.ts";
import type { CallContext } from "../../../core/call-context.ts";
import { inTransaction } from "../../../core/transaction.ts";
import { type ChannelChanges, changeChannel } from "../channel.repository.ts";

/** What a change by the gateway itself needs. */
export type AutomaticContext = Pick<CallContext, "database" | "clock" | "secrets" | "changes">;

const LONGEST_REASON = 500;
const SERVING: readonly number[] = [CHANNEL_STATUS.enabled, CHANNEL_STATUS.dormant];

/**
 * Disables an enabled channel for the reason, which must hold no secret. Returns false, and does nothing, when it is not enabled: what an
 * administrator has set stays.
 */
export function disableChannelAutomatically(
  context: AutomaticContext,
  channelId: number,
  reason: string,
): Promise<boolean> {
  const changes = { status: CHANNEL_STATUS.autoDisabled, status_reason: reason.slice(0, LONGEST_REASON) };
  return change(context, channelId, "channel.disable-automatically", changes, SERVING);
}

/** Enables a channel again that the gateway has disabled itself. Returns false, and does nothing, for every other. */
export function enableChannelAutomatically(context: AutomaticContext, channelId: number): Promise<boolean> {
  const changes = { status: CHANNEL_STATUS.enabled, status_reason: "", awake_time: 0 };
  return change(context, channelId, "channel.enable-automatically", changes, [CHANNEL_STATUS.autoDisabled]);
}

async function change(
  context: AutomaticContext,
  channelId: number,
  action: string,
  changes: ChannelChanges,
  from: readonly number[],
): Promise<boolean> {
  const { database, clock, secrets, changes: feed } = context;
  const gateway: CallContext = {
    actor: undefined,
    address: "",
    requestId: "",
    database,
    clock,
    secrets,
    changes: feed,
  };
  const changed = await inTransaction(database, async (transaction) => {
    const row = await changeChannel(transaction, channelId, changes, from);
    if (row === undefined) return false;
    const detail = { name: row.name, reason: row.status_reason };
    await recordAudit(transaction, gateway, { action, object: `channel:${channelId}`, detail });
    return true;
  });
  if (changed) feed.announce("channels");
  return changed;
}
