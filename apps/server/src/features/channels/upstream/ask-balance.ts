import { type ChannelType, channelTypeInfo } from "@one-api/contract/channels/channel-types";
import { AppError } from "../../../core/app-error.ts";
import type { CallContext } from "../../../core/call-context.ts";
import { hideSecrets } from "../channel-config.ts";
import type { ChannelDependencies } from "../channel-dependencies.ts";
import type { ChannelForRelay } from "../load-channels-for-relay.ts";

export type BalanceDependencies = Pick<ChannelDependencies, "balanceQueryOf" | "getJsonThrough" | "options">;

/** Larger numbers lose their units and could not be added up. */
const MOST = Number.MAX_SAFE_INTEGER;

/**
 * Requests the balance of the account of `channel.connection`. Throws `channel-balance-not-offered`,
 * `channel-balance-failed` and `channel-balance-missing`.
 */
export async function askBalance(
  { clock }: Pick<CallContext, "clock">,
  { balanceQueryOf, getJsonThrough }: BalanceDependencies,
  { type, name, connection, proxy }: Pick<ChannelForRelay, "type" | "name" | "connection" | "proxy">,
): Promise<number> {
  const query = balanceQueryOf(type);
  if (query === undefined) throw noBalance(type);
  let balance: number;
  try {
    balance = await query(connection, getJsonThrough(proxy), new Date(clock.nowMs()));
  } catch (error) {
    const message = error instanceof Error ? error.message : "The provider could not be asked.";
    const cleaned = hideSecrets(message, connection);
    throw new AppError("channel-balance-failed", cleaned, { values: { name, message: cleaned } });
  }
  if (!(Math.abs(balance) <= MOST)) {
    throw new AppError("channel-balance-missing", "The provider's answer holds no balance.", { values: { name } });
  }
  return balance;
}

function noBalance(type: ChannelType): AppError {
  const label = channelTypeInfo(type)?.label ?? `type ${type}`;
  const message = `Channels of ${label} report no balance. Look it up at the provider.`;
  return new AppError("channel-balance-not-offered", message, { values: { type: label } });
}
