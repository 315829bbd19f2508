import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { type ChannelType, channelTypeInfo } from "@one-api/contract/channels/channel-types";
import { AppError } from "../../../core/app-error.ts";
import { recordAudit } from "../../../core/audit.ts";
import type { CallContext } from "../../../core/call-context.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import { inTransaction, type Queryable } from "../../../core/transaction.ts";
import { clearAlertStates, recordAlert, raiseAlertState } from "../../alerts/index.ts";
import { hideSecrets } from "../channel-config.ts";
import type { ChannelDependencies } from "../channel-dependencies.ts";
import { channelNotFound } from "../channel.policy.ts";
import { changeChannel, listChannelIds } from "../channel.repository.ts";
import { type ChannelForRelay, loadChannelForRelay } from "../load-channels-for-relay.ts";

type Dependencies = Pick<ChannelDependencies, "balanceQueryOf" | "getJsonThrough" | "options">;

/**
 * Requests, stores and returns the channel's balance. Alerts root once when it falls below
 * ChannelBalanceRemindThreshold.
 * Throws `channel-not-found`, `channel-balance-not-offered`, `channel-balance-failed` and
 * `channel-balance-missing`.
 */
export async function updateChannelBalance(context: CallContext, deps: Dependencies, id: number): Promise<number> {
  const channel = await loadChannelForRelay(context.database.db, context.secrets, id);
  if (channel === undefined) throw channelNotFound(id);
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

export function createBalanceRuns(deps: Dependencies & Pick<ChannelDependencies, "log">): BalanceRuns {
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
  deps: Dependencies & Pick<ChannelDependencies, "log">,
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

async function alertLowBalance(
  transaction: Queryable,
  facts: { readonly id: number; readonly name: string; readonly balance: number; readonly threshold: number },
  at: number,
): Promise<void> {
  if (facts.balance >= facts.threshold) return clearAlertStates(transaction, ["channel-balance"], facts.id);
  if (await raiseAlertState(transaction, { kind: "channel-balance", id: facts.id, level: 1, at }))
    await recordAlert(transaction, { kind: "channel-balance-low", ...facts }, at);
}

async function askBalance(context: CallContext, deps: Dependencies, channel: ChannelForRelay): Promise<number> {
  const query = deps.balanceQueryOf(channel.type);
  if (query === undefined) throw noBalance(channel.type);
  let balance: number;
  try {
    balance = await query(channel.connection, deps.getJsonThrough(channel.proxy), new Date(context.clock.nowMs()));
  } catch (error) {
    const message = error instanceof Error ? error.message : "The provider could not be asked.";
    const cleaned = hideSecrets(message, channel.connection);
    throw new AppError("channel-balance-failed", cleaned, { values: { name: channel.name, message: cleaned } });
  }
  if (!Number.isFinite(balance)) {
    const values = { name: channel.name };
    throw new AppError("channel-balance-missing", "The provider's answer holds no balance.", { values });
  }
  return balance;
}

function noBalance(type: ChannelType): AppError {
  const label = channelTypeInfo(type)?.label ?? `type ${type}`;
  const message = `Channels of ${label} report no balance. Look it up at the provider.`;
  return new AppError("channel-balance-not-offered", message, { values: { type: label } });
}
