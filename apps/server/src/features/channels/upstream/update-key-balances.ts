import { KEY_STATUS } from "@one-api/contract/channels/channel-constants";
import type { ChannelKey } from "@one-api/contract/channels/channel-keys";
import { AppError } from "../../../core/app-error.ts";
import { recordAudit } from "../../../core/audit.ts";
import type { CallContext } from "../../../core/call-context.ts";
import { placeOf } from "../../../core/secrets.ts";
import { inTransaction, type Queryable } from "../../../core/transaction.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import { clearAlertStates } from "../../alerts/index.ts";
import type { ChannelCooldowns } from "../channel-dependencies.ts";
import { channelNotFound } from "../channel.policy.ts";
import { changeChannel, lockSealedChannel, type SealedChannelRow } from "../channel.repository.ts";
import { type KeyPlace, keyNotFound, listChannelKeys } from "../keys/channel-keys.ts";
import { changeKey, type KeyRow, listKeys, listSealedKeys, type SealedKeyRow } from "../keys/key.repository.ts";
import { isBalanceKnown, keysInUse, sumKeyBalances } from "../keys/sum-key-balances.ts";
import { type ChannelForRelay, channelUnreadable, loadChannelForRelay } from "../load-channels-for-relay.ts";
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
  const answers: KeyAnswer[] = [];
  const askNext = async (): Promise<void> => {
    for (let key = queue.shift(); key !== undefined && !isStopping(); key = queue.shift())
      answers.push(await askKey(context, deps, channel, key));
  };
  await Promise.all(Array.from({ length: context.actor === undefined ? 1 : AT_ONCE_BY_HAND }, askNext));
  const keys = await storeAnswers(context, deps, { channelId: channel.id, answers }, (stored) => {
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
  const asked = (await listOf(context, channelId)).find(({ id }) => id === keyId);
  if (asked === undefined) throw keyNotFound(place);
  const answer = await askKey(context, deps, channel, asked);
  const keys = await storeAnswers(context, deps, { channelId, answers: [answer] }, (stored) => {
    const key = stored.find(({ id }) => id === keyId);
    if (key === undefined || "error" in answer) return undefined;
    return { action: "channel.update-key-balance", detail: { key_end: key.key_end, balance: key.balance } };
  });
  const key = keys.find(({ id }) => id === keyId);
  if (key === undefined) throw keyNotFound(place);
  if ("error" in answer) throw answer.error.code === "channel-balance-failed" ? keyFailed(channel, key) : answer.error;
  return listChannelKeys(context, deps.cooldowns, channelId);
}

async function listOf({ database }: CallContext, channelId: number): Promise<readonly SealedKeyRow[]> {
  return (await listSealedKeys(database.db, channelId)).get(channelId) ?? [];
}

/** `at` in Unix seconds. */
type KeyAnswer = { readonly keyId: number; readonly at: number } & (
  | { readonly balance: number }
  | { readonly error: AppError }
);

async function askKey(
  context: CallContext,
  deps: BalanceDependencies,
  channel: ChannelForRelay,
  { id: keyId, key_cipher: sealed }: SealedKeyRow,
): Promise<KeyAnswer> {
  const { secrets, clock } = context;
  const { id, name, connection } = channel;
  if (secrets.keyOf("channel-key", sealed) === undefined) throw channelUnreadable(id);
  const key = secrets.open("channel-key", sealed, placeOf("channels", id, name));
  try {
    const balance = await askBalance(context, deps, { ...channel, connection: { ...connection, key } });
    return { keyId, at: nowSeconds(clock), balance };
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "channel-balance-not-offered") throw error;
    return { keyId, at: nowSeconds(clock), error };
  }
}

interface ChannelAnswers {
  readonly channelId: number;
  readonly answers: readonly KeyAnswer[];
}

type Audited = { readonly action: string; readonly detail: Record<string, unknown> };

/**
 * Stores answers with their keys, their sum with the channel, and an audit row of what an administrator did.
 * Returns the channel's keys. An answer about a key that was deleted meanwhile is dropped.
 */
async function storeAnswers(
  context: CallContext,
  deps: BalanceDependencies,
  { channelId, answers }: ChannelAnswers,
  describe: (keys: readonly KeyRow[]) => Audited | undefined,
): Promise<readonly KeyRow[]> {
  const threshold = deps.options.number("ChannelBalanceRemindThreshold");
  return inTransaction(context.database, async (transaction) => {
    // Edits of keys lock the channel first, too.
    const channel = await lockSealedChannel(transaction, channelId);
    if (channel === undefined) return [];
    for (const answer of answers) await storeAnswer(transaction, channel, answer, threshold);
    const keys = await listKeys(transaction, channelId);
    if (keys.length === 0) return keys;
    await changeChannel(transaction, channelId, sumKeyBalances(keys).ofChannel);
    // The channel's own alert is from the time when it had one key.
    await clearAlertStates(transaction, ["channel-balance"], channelId);
    const audited = context.actor === undefined ? undefined : describe(keys);
    if (audited !== undefined) await recordAudit(transaction, context, { ...audited, object: `channel:${channelId}` });
    return keys;
  });
}

async function storeAnswer(
  transaction: Queryable,
  { id, name }: Pick<SealedChannelRow, "id" | "name">,
  answer: KeyAnswer,
  threshold: number,
): Promise<void> {
  const { keyId, at } = answer;
  const place = { channelId: id, keyId };
  if ("error" in answer) {
    const changes = { balance_error: answer.error.message, balance_error_time: at };
    await changeKey(transaction, place, changes);
    return;
  }
  const { balance } = answer;
  const changes = { balance, balance_updated_time: at, balance_error: "", balance_error_time: 0 };
  const key = await changeKey(transaction, place, changes);
  if (key !== undefined && key.status !== KEY_STATUS.disabled)
    await alertLowBalance(transaction, { id, name, key, balance, threshold }, at);
}

/** Throws if a key in use has no known balance. */
function wholeSum(channel: ChannelForRelay, keys: readonly KeyRow[]): number {
  const { name } = channel;
  const { known, unknown, sum } = sumKeyBalances(keys);
  const missing = keysInUse(keys).find((key) => !isBalanceKnown(key));
  if (missing === undefined) return sum;
  if (known === 0) throw keyFailed(channel, missing);
  const message = describeMissing(missing);
  const total = known + unknown;
  const explained = `The balance of ${name} is incomplete: it is unknown for ${unknown} of ${total} keys. ${message}`;
  throw new AppError("channel-balance-incomplete", explained, { values: { name, unknown, total, message } });
}

function keyFailed({ name }: ChannelForRelay, key: KeyRow): AppError {
  const message = describeMissing(key);
  return new AppError("channel-balance-failed", message, { values: { name, message } });
}

function describeMissing({ id, key_end: end, balance_error: error }: KeyRow): string {
  return `${end === "" ? `#${id}` : `…${end}`}: ${error || "not checked yet"}`;
}
