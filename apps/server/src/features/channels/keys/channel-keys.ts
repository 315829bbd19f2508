import { KEY_STATUS, MAX_CHANNEL_KEYS } from "@one-api/contract/channels/channel-constants";
import type {
  addChannelKeys as addCall,
  ChannelKey,
  updateChannelKey as updateCall,
} from "@one-api/contract/channels/channel-keys";
import type { z } from "zod";
import { AppError } from "../../../core/app-error.ts";
import { recordAudit } from "../../../core/audit.ts";
import type { CallContext } from "../../../core/call-context.ts";
import { placeOf, type Secrets } from "../../../core/secrets.ts";
import { inTransaction, type Queryable } from "../../../core/transaction.ts";
import type { ChannelCooldowns } from "../channel-dependencies.ts";
import { channelNotFound } from "../channel.policy.ts";
import { readHint } from "../channel.present.ts";
import { changeChannel, findChannel, lockSealedChannel, type SealedChannelRow } from "../channel.repository.ts";
import { readOneKey } from "../channel-key.policy.ts";
import { keyEnd } from "./key-end.ts";
import { expiryOfKey } from "./key-expiry.ts";
import {
  changeKey,
  deleteKeys,
  ENABLED_KEY,
  insertKeys,
  type KeyRow,
  listKeys,
  listSealedKeys,
  type SealedKeyRow,
} from "./key.repository.ts";
import { UNKNOWN_BALANCE } from "./sum-key-balances.ts";

/** Throws `channel-not-found`. */
export async function listChannelKeys(
  { database }: Pick<CallContext, "database">,
  cooldowns: ChannelCooldowns,
  channelId: number,
): Promise<ChannelKey[]> {
  if ((await findChannel(database.db, channelId)) === undefined) throw channelNotFound(channelId);
  return (await listKeys(database.db, channelId)).map((row) => ({
    id: row.id,
    end: row.key_end,
    status: row.status,
    weight: row.weight,
    reason: row.status_reason,
    ...causeOf(row),
    disabled_at: row.disabled_at,
    expires_at: row.expires_at,
    probe_time: row.status === KEY_STATUS.autoDisabled ? row.probe_time : 0,
    cooldown_until: row.status === KEY_STATUS.enabled ? cooldowns.keyCooldown(channelId, row.id) : 0,
    balance: row.balance,
    balance_updated_time: row.balance_updated_time,
    balance_error: row.balance_error,
    balance_error_time: row.balance_error_time,
  }));
}

/** Code and parts of the reason; none for one that a server of an earlier release wrote. */
function causeOf({ status_reason: reason, status_hint: text }: KeyRow): Pick<ChannelKey, "code" | "parts"> {
  const hint = readHint(text);
  if (hint === undefined || hint.message !== reason) return {};
  return { code: hint.code, ...(hint.parts && { parts: hint.parts }) };
}

interface NewKeys {
  readonly type: number;
  readonly keys: readonly string[];
  readonly expiresAt: number;
}

/** Seals keys of one channel. Throws refusals of their form, and `channel-keys-full`. */
export function sealKeys(
  { type, keys, expiresAt }: NewKeys,
  secrets: Secrets,
): Pick<SealedKeyRow, "key_cipher" | "key_end" | "expires_at">[] {
  checkCount(keys.length);
  return keys.map((text) => {
    const key = readOneKey(type, text);
    return {
      key_cipher: secrets.seal("channel-key", key),
      key_end: keyEnd(type, key),
      expires_at: expiryOfKey(key) || expiresAt,
    };
  });
}

function checkCount(count: number): void {
  if (count <= MAX_CHANNEL_KEYS) return;
  const message = `The channel would have ${count} keys, more than ${MAX_CHANNEL_KEYS}. Create another channel for the rest.`;
  throw new AppError("channel-keys-full", message, { field: "keys", values: { count, limit: MAX_CHANNEL_KEYS } });
}

/** Adds keys; those that the channel has are left out. Its own key becomes the first of them. */
export async function addChannelKeys(
  context: CallContext,
  cooldowns: ChannelCooldowns,
  channelId: number,
  { keys }: z.output<typeof addCall.body>,
): Promise<ChannelKey[]> {
  const { secrets } = context;
  await editKeys(context, channelId, async (transaction, channel) => {
    const place = placeOf("channels", channel.id, channel.name);
    const stored = (await listSealedKeys(transaction, channelId)).get(channelId) ?? [];
    const known = [channel, ...stored].map(({ key_cipher }) => secrets.open("channel-key", key_cipher, place));
    const added = [...new Set(keys.map((key) => readOneKey(channel.type, key)))].filter((key) => !known.includes(key));
    if (added.length === 0) return;
    checkCount(Math.max(1, stored.length) + added.length);
    const first = stored.length === 0 ? known.slice(0, 1) : [];
    const { type, key_expires_at: expiresAt, balance, balance_updated_time } = channel;
    const sealed = [
      ...sealKeys({ type, keys: first, expiresAt }, secrets).map((key) => ({ ...key, balance, balance_updated_time })),
      ...sealKeys({ type, keys: added, expiresAt: 0 }, secrets).map((key) => ({ ...key, ...UNKNOWN_BALANCE })),
    ];
    await insertKeys(transaction, channelId, sealed);
    await audit(transaction, context, "channel.add-keys", channelId, { count: added.length });
  });
  return listChannelKeys(context, cooldowns, channelId);
}

export interface KeyPlace {
  readonly channelId: number;
  readonly keyId: number;
}

/** Throws `channel-key-not-found`. */
export async function updateChannelKey(
  context: CallContext,
  cooldowns: ChannelCooldowns,
  place: KeyPlace,
  { status, weight, expires_at }: z.output<typeof updateCall.body>,
): Promise<ChannelKey[]> {
  await editKeys(context, place.channelId, async (transaction) => {
    const changes = {
      ...(weight === undefined ? {} : { weight }),
      ...(expires_at === undefined ? {} : { expires_at }),
      ...(status === undefined ? {} : { ...ENABLED_KEY, status }),
    };
    if (Object.keys(changes).length === 0) return;
    const row = await changeKey(transaction, place, changes);
    if (row === undefined) throw keyNotFound(place);
    const detail = {
      key_end: row.key_end,
      ...(status !== undefined && { status }),
      ...(weight !== undefined && { weight }),
      ...(expires_at !== undefined && { expires_at }),
    };
    await audit(transaction, context, "channel.update-key", place.channelId, detail);
  });
  if (status === KEY_STATUS.enabled) cooldowns.forgetKey(place.channelId, place.keyId);
  return listChannelKeys(context, cooldowns, place.channelId);
}

/** Removes a key. The channel's own key stays the first one. Throws `channel-key-last` and `channel-key-not-found`. */
export async function deleteChannelKey(
  context: CallContext,
  cooldowns: ChannelCooldowns,
  place: KeyPlace,
): Promise<ChannelKey[]> {
  const { channelId, keyId } = place;
  await editKeys(context, channelId, async (transaction) => {
    const keys = (await listSealedKeys(transaction, channelId)).get(channelId) ?? [];
    const removed = keys.find(({ id }) => id === keyId);
    if (removed === undefined) throw keyNotFound(place);
    const [first] = keys.filter(({ id }) => id !== keyId);
    if (first === undefined)
      throw new AppError("channel-key-last", "A channel needs a key. Add another one first, or delete the channel.");
    await deleteKeys(transaction, channelId, keyId);
    await changeChannel(transaction, channelId, { key_cipher: first.key_cipher });
    await audit(transaction, context, "channel.delete-key", channelId, { key_end: removed.key_end });
  });
  return listChannelKeys(context, cooldowns, channelId);
}

/** Runs an edit while the channel is locked, and announces it. Throws `channel-not-found`. */
async function editKeys(
  context: CallContext,
  channelId: number,
  edit: (transaction: Queryable, channel: SealedChannelRow) => Promise<void>,
): Promise<void> {
  await inTransaction(context.database, async (transaction) => {
    const channel = await lockSealedChannel(transaction, channelId);
    if (channel === undefined) throw channelNotFound(channelId);
    await edit(transaction, channel);
  });
  context.changes.announce("channels");
}

function audit(
  transaction: Queryable,
  context: CallContext,
  action: string,
  channelId: number,
  detail: Record<string, unknown>,
): Promise<void> {
  return recordAudit(transaction, context, { action, object: `channel:${channelId}`, detail });
}

export function keyNotFound({ keyId }: KeyPlace): AppError {
  return new AppError("channel-key-not-found", "The channel has no such key.", { values: { key: keyId } });
}
