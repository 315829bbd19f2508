import { KEY_STATUS } from "@one-api/contract/channels/channel-constants";
import type { ChannelKey } from "@one-api/contract/channels/channel-keys";
import { AppError } from "../../../core/app-error.ts";
import { recordAudit } from "../../../core/audit.ts";
import type { CallContext } from "../../../core/call-context.ts";
import { placeOf } from "../../../core/secrets.ts";
import { inTransaction } from "../../../core/transaction.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import { clearAlertStates } from "../../alerts/index.ts";
import type { ChannelCooldowns } from "../channel-dependencies.ts";
import { channelNotFound } from "../channel.policy.ts";
import { changeChannel } from "../channel.repository.ts";
import { type KeyPlace, keyNotFound, listChannelKeys } from "../keys/channel-keys.ts";
import { changeKey, type KeyRow, listKeys, listSealedKeys, type SealedKeyRow } from "../keys/key.repository.ts";
import { isBalanceKnown, keysInUse, sumKeyBalances } from "../keys/sum-key-balances.ts";
import { type ChannelForRelay, loadChannelForRelay } from "../load-channels-for-relay.ts";
import { alertLowBalance } from "./alert-low-balance.ts";
import { askBalance, type BalanceDependencies } from "./ask-balance.ts";

/** A scheduled check asks for one key after the other; an administrator waits for the answer. */
const AT_ONCE_BY_HAND = 4;

/**
 * Requests and stores the balance of each key in use, and returns their sum; undefined if the channel no longer has
 * several keys. A failure is stored with its key.
 * Throws `channel-balance-incomplete` if keys failed, and `channel-balance-failed` if all did.
 */
export async function updateKeyBalances(
  context: CallContext,
  deps: BalanceDependencies,
  channel: ChannelForRelay,
  isStopping: () => boolean,
): Promise<number | undefined> {
  const queue = [...keysInUse(await listOf(context, channel.id))];
  const askNext = async (): Promise<void> => {
    for (let key = queue.shift(); key !== undefined && !isStopping(); key = queue.shift())
      await updateKey(context, deps, channel, key);
  };
  await Promise.all(Array.from({ length: context.actor === undefined ? 1 : AT_ONCE_BY_HAND }, askNext));
  const keys = await storeSum(context, channel.id, (stored) => {
    const { known, unknown, sum } = sumKeyBalances(stored);
    if (known === 0) return undefined;
    return { action: "channel.update-balance", detail: { balance: sum, ...(unknown > 0 && { known, unknown }) } };
  });
  return keys.length === 0 ? undefined : wholeSum(channel, keys);
}

/** Requests and stores the balance of one key. Throws `channel-key-not-found` and what `askBalance` throws. */
export async function updateChannelKeyBalance(
  context: CallContext,
  deps: BalanceDependencies & { readonly cooldowns: ChannelCooldowns },
  place: KeyPlace,
): Promise<ChannelKey[]> {
  const { channelId, keyId } = place;
  const channel = await loadChannelForRelay(context.database.db, context.secrets, channelId);
  if (channel === undefined) throw channelNotFound(channelId);
  const key = (await listOf(context, channelId)).find(({ id }) => id === keyId);
  if (key === undefined) throw keyNotFound(place);
  const asked = await updateKey(context, deps, channel, key);
  await storeSum(context, channelId, () => {
    if (asked.row === undefined || asked.error !== undefined) return undefined;
    const { key_end: end, balance } = asked.row;
    return { action: "channel.update-key-balance", detail: { key_end: end, balance } };
  });
  if (asked.row === undefined) throw keyNotFound(place);
  if (asked.error !== undefined) throw asked.error;
  return listChannelKeys(context, deps.cooldowns, channelId);
}

async function listOf({ database }: CallContext, channelId: number): Promise<readonly SealedKeyRow[]> {
  return (await listSealedKeys(database.db, channelId)).get(channelId) ?? [];
}

interface AskedKey {
  /** Undefined for a key that was deleted meanwhile. */
  readonly row: KeyRow | undefined;
  readonly error?: AppError;
}

/** Requests the balance of a key, and stores it or why there is none. */
async function updateKey(
  context: CallContext,
  deps: BalanceDependencies,
  channel: ChannelForRelay,
  key: SealedKeyRow,
): Promise<AskedKey> {
  const { database, secrets, clock } = context;
  const { id, name } = channel;
  const place = { channelId: id, keyId: key.id };
  const text = secrets.open("channel-key", key.key_cipher, placeOf("channels", id, name));
  let balance: number;
  try {
    balance = await askBalance(context, deps, { ...channel, connection: { ...channel.connection, key: text } });
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "channel-balance-not-offered") throw error;
    const changes = { balance_error: error.message, balance_error_time: nowSeconds(clock) };
    return { row: await changeKey(database.db, place, changes), error };
  }
  const at = nowSeconds(clock);
  const row = await inTransaction(database, async (transaction) => {
    const changes = { balance, balance_updated_time: at, balance_error: "", balance_error_time: 0 };
    const changed = await changeKey(transaction, place, changes);
    const threshold = deps.options.number("ChannelBalanceRemindThreshold");
    if (changed !== undefined && changed.status !== KEY_STATUS.disabled)
      await alertLowBalance(transaction, { id, name, key: changed, balance, threshold }, at);
    return changed;
  });
  return { row };
}

/** Stores the known sum in the channel's row, with an audit row of what an administrator did. Returns the keys. */
async function storeSum(
  context: CallContext,
  channelId: number,
  describe: (keys: readonly KeyRow[]) => { readonly action: string; readonly detail: Record<string, unknown> } | undefined,
): Promise<readonly KeyRow[]> {
  return inTransaction(context.database, async (transaction) => {
    const keys = await listKeys(transaction, channelId);
    if (keys.length === 0) return keys;
    const { sum: balance, reportedAt } = sumKeyBalances(keys);
    await changeChannel(transaction, channelId, { balance, balance_updated_time: reportedAt });
    // The channel's own alert is from the time when it had one key.
    await clearAlertStates(transaction, ["channel-balance"], channelId);
    const audited = context.actor === undefined ? undefined : describe(keys);
    if (audited !== undefined) await recordAudit(transaction, context, { ...audited, object: `channel:${channelId}` });
    return keys;
  });
}

function wholeSum({ name }: ChannelForRelay, keys: readonly KeyRow[]): number {
  const { known, unknown, sum } = sumKeyBalances(keys);
  const missing = keysInUse(keys).find((key) => !isBalanceKnown(key));
  if (missing === undefined) return sum;
  const message = `${missing.key_end === "" ? `#${missing.id}` : `…${missing.key_end}`}: ${missing.balance_error || "not checked yet"}`;
  if (known === 0) throw new AppError("channel-balance-failed", message, { values: { name, message } });
  const total = known + unknown;
  const explained = `The balance of ${name} is incomplete: it is unknown for ${unknown} of ${total} keys. ${message}`;
  throw new AppError("channel-balance-incomplete", explained, { values: { name, unknown, total, message } });
}
