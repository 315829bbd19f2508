import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { AppError } from "../../../core/app-error.ts";
import { recordAudit } from "../../../core/audit.ts";
import type { CallContext } from "../../../core/call-context.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import { inTransaction } from "../../../core/transaction.ts";
import type { ChannelDependencies } from "../channel-dependencies.ts";
import { channelNotFound } from "../channel.policy.ts";
import { changeChannel, listChannelIds } from "../channel.repository.ts";
import { loadChannelForRelay } from "../load-channels-for-relay.ts";
import { alertLowBalance } from "./alert-low-balance.ts";
import { askBalance, type BalanceDependencies } from "./ask-balance.ts";
import { updateKeyBalances } from "./update-key-balances.ts";

/**
 * Requests, stores and returns the channel's balance: with several keys the sum of theirs. Alerts root once when one
 * falls below ChannelBalanceRemindThreshold. Starts no further request once `isStopping` says so.
 * Throws `channel-not-found`, `channel-balance-not-offered`, `channel-balance-failed`, `channel-balance-missing` and
 * `channel-balance-incomplete`.
 */
export async function updateChannelBalance(
  context: CallContext,
  deps: BalanceDependencies,
  id: number,
  isStopping: () => boolean = () => false,
): Promise<number> {
  const channel = await loadChannelForRelay(context.database.db, context.secrets, id);
  if (channel === undefined) throw channelNotFound(id);
  if (channel.keys !== undefined) {
    const sum = await updateKeyBalances(context, deps, channel, isStopping);
    // One key has replaced them meanwhile.
    return sum ?? updateChannelBalance(context, deps, id, isStopping);
  }
  const balance = await askBalance(context, deps, channel);
  await inTransaction(context.database, async (transaction) => {
    const row = await changeChannel(transaction, id, { balance, balance_updated_time: nowSeconds(context.clock) });
    if (row === undefined) throw channelNotFound(id);
    const object = `channel:${id}`;
    // The audit trail is for what people do, not for scheduled checks.
    if (context.actor !== undefined)
      await recordAudit(transaction, context, { action: "channel.update-balance", object, detail: { balance } });
    const threshold = deps.options.number("ChannelBalanceRemindThreshold");
    await alertLowBalance(transaction, { id, name: row.name, balance, threshold }, nowSeconds(context.clock));
  });
  return balance;
}

/** Updates the balances of many channels in the background, one after the other. */
export interface BalanceRuns {
  start(context: CallContext): Promise<{ readonly finished: Promise<void> }>;
}

export function createBalanceRuns(deps: BalanceDependencies & Pick<ChannelDependencies, "log">): BalanceRuns {
  let running: Promise<void> | undefined;
  return {
    async start(context) {
      const { db } = context.database;
      const ids = await listChannelIds(db, [CHANNEL_STATUS.enabled]);
      const detail = { channels: ids.length };
      await recordAudit(db, context, { action: "channel.update-balances", object: "channels", detail });
      running ??= updateAll(context, deps, ids).finally(() => {
        running = undefined;
      });
      return { finished: running };
    },
  };
}

async function updateAll(
  context: CallContext,
  deps: BalanceDependencies & Pick<ChannelDependencies, "log">,
  ids: readonly number[],
): Promise<void> {
  for (const id of ids) {
    try {
      await updateChannelBalance(context, deps, id);
    } catch (error) {
      const isSilent = error instanceof AppError && error.code === "channel-balance-not-offered";
      if (!isSilent) deps.log.warn({ err: error, channelId: id }, "a channel's balance could not be requested");
    }
  }
}
