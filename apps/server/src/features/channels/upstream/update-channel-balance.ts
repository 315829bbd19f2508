import { type ChannelType, channelTypeInfo } from "@one-api/contract/channel-types";
import { AppError } from "../../../core/app-error.ts";
import { recordAudit } from "../../../core/audit.ts";
import type { CallContext } from "../../../core/call-context.ts";
import { nowSeconds } from "../../../core/clock.ts";
import { inTransaction } from "../../../core/transaction.ts";
import { hideSecrets } from "../channel-config.ts";
import type { ChannelDependencies } from "../channel-dependencies.ts";
import { channelNotFound } from "../channel.policy.ts";
import { changeChannel } from "../channel.repository.ts";
import { type ChannelForRelay, loadChannelForRelay } from "../load-channels-for-relay.ts";

type Dependencies = Pick<ChannelDependencies, "balanceQueryOf" | "getJson">;

/** Asks the channel's provider for the balance, stores and returns it. Throws `not-found`, `not-supported` and `upstream-failed`. */
export async function updateChannelBalance(context: CallContext, deps: Dependencies, id: number): Promise<number> {
  const channel = await loadChannelForRelay(context.database.db, context.secrets, id);
  if (channel === undefined) throw channelNotFound();
  const balance = await askBalance(context, deps, channel);
  await inTransaction(context.database, async (transaction) => {
    const row = await changeChannel(transaction, id, { balance, balance_updated_time: nowSeconds(context.clock) });
    if (row === undefined) throw channelNotFound();
    await recordAudit(transaction, context, {
      action: "channel.update-balance",
      object: `channel:${id}`,
      detail: { balance },
    });
  });
  return balance;
}

async function askBalance(context: CallContext, deps: Dependencies, channel: ChannelForRelay): Promise<number> {
  const query = deps.balanceQueryOf(channel.type);
  if (query === undefined) throw noBalance(channel.type);
  let balance: number;
  try {
    balance = await query(channel.connection, deps.getJson, new Date(context.clock.nowMs()));
  } catch (error) {
    const message = error instanceof Error ? error.message : "The provider could not be asked.";
    throw new AppError("upstream-failed", hideSecrets(message, channel.connection));
  }
  if (!Number.isFinite(balance)) throw new AppError("upstream-failed", "The provider's answer holds no balance.");
  return balance;
}

function noBalance(type: ChannelType): AppError {
  const label = channelTypeInfo(type)?.label ?? `type ${type}`;
  return new AppError("not-supported", `Channels of ${label} report no balance. Look it up at the provider.`);
}
