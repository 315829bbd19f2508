import { KEY_STATUS } from "@one-api/contract/channels/channel-constants";
import type { Tables } from "@one-api/database/tables";
import type { Selectable, Updateable } from "kysely";
import type { Queryable } from "../../../core/transaction.ts";

const KEY_COLUMNS = [
  "id",
  "channel_id",
  "key_end",
  "status",
  "weight",
  "status_reason",
  "status_hint",
  "disabled_at",
  "probe_time",
  "failed_probes",
  "expires_at",
  "balance",
  "balance_updated_time",
  "balance_error",
  "balance_error_time",
] as const;

const SEALED_COLUMNS = [...KEY_COLUMNS, "key_cipher"] as const;

type Key = Selectable<Tables["channel_keys"]>;

export type KeyRow = Pick<Key, (typeof KEY_COLUMNS)[number]>;
export type SealedKeyRow = Pick<Key, (typeof SEALED_COLUMNS)[number]>;

/** Keys by channel, in their order: of some channels, or of all. */
export async function listSealedKeys(
  queryable: Queryable,
  ...channelIds: readonly number[]
): Promise<Map<number, SealedKeyRow[]>> {
  const keys = new Map<number, SealedKeyRow[]>();
  const all = queryable.selectFrom("channel_keys").select(SEALED_COLUMNS).orderBy("id");
  for (const row of await (channelIds.length === 0 ? all : all.where("channel_id", "in", channelIds)).execute()) {
    const known = keys.get(row.channel_id);
    if (known === undefined) keys.set(row.channel_id, [row]);
    else known.push(row);
  }
  return keys;
}

export function listKeys(queryable: Queryable, channelId: number): Promise<KeyRow[]> {
  return queryable
    .selectFrom("channel_keys")
    .select(KEY_COLUMNS)
    .where("channel_id", "=", channelId)
    .orderBy("id")
    .execute();
}

export async function insertKeys(
  queryable: Queryable,
  channelId: number,
  keys: readonly (Pick<SealedKeyRow, "key_cipher" | "key_end"> & Partial<Omit<SealedKeyRow, "id" | "channel_id">>)[],
): Promise<void> {
  if (keys.length === 0) return;
  await queryable
    .insertInto("channel_keys")
    .values(
      keys.map((key) => {
        return { weight: 1, status: KEY_STATUS.enabled, ...key, channel_id: channelId };
      }),
    )
    .execute();
}

/** Changes a key of the channel that has one of the states. Returns undefined for none. */
export function changeKey(
  queryable: Queryable,
  { channelId, keyId }: { readonly channelId: number; readonly keyId: number },
  changes: Omit<Updateable<Tables["channel_keys"]>, "id" | "channel_id">,
  statuses: readonly number[] = Object.values(KEY_STATUS),
): Promise<KeyRow | undefined> {
  return queryable
    .updateTable("channel_keys")
    .set(changes)
    .where("id", "=", keyId)
    .where("channel_id", "=", channelId)
    .where("status", "in", statuses)
    .returning(KEY_COLUMNS)
    .executeTakeFirst();
}

export const ENABLED_KEY = {
  status: KEY_STATUS.enabled,
  status_reason: "",
  status_hint: "",
  disabled_at: 0,
  probe_time: 0,
  failed_probes: 0,
} as const;

/** Enables the keys that the gateway disabled. */
export async function enableKeys(queryable: Queryable, channelId: number): Promise<void> {
  await queryable
    .updateTable("channel_keys")
    .set(ENABLED_KEY)
    .where("channel_id", "=", channelId)
    .where("status", "=", KEY_STATUS.autoDisabled)
    .execute();
}

export async function deleteKeys(queryable: Queryable, channelId: number, keyId?: number): Promise<void> {
  const keys = queryable.deleteFrom("channel_keys").where("channel_id", "=", channelId);
  await (keyId === undefined ? keys : keys.where("id", "=", keyId)).execute();
}

/** Keys of all channels. */
export function listAllKeys(queryable: Queryable): Promise<KeyRow[]> {
  return queryable.selectFrom("channel_keys").select(KEY_COLUMNS).orderBy("id").execute();
}

/** Keys that the gateway disabled, of enabled channels that take part in probes and are not paused. */
export function listProbedKeys(queryable: Queryable, now: number): Promise<KeyRow[]> {
  return queryable
    .selectFrom("channel_keys")
    .innerJoin("channels", "channels.id", "channel_keys.channel_id")
    .select(KEY_COLUMNS.map((column) => `channel_keys.${column}` as const))
    .where("channel_keys.status", "=", KEY_STATUS.autoDisabled)
    .where("channels.status", "=", 1)
    .where("channels.scheduled_checks", "=", 1)
    .where("channels.paused_until", "<=", now)
    .orderBy("channel_keys.id")
    .execute();
}

/** Claims the probe of a key as it was read, and plans the next. Returns false if another server has claimed it since. */
export async function claimProbe(
  queryable: Queryable,
  { id, failed_probes: failedProbes }: Pick<KeyRow, "id" | "failed_probes">,
  nextAt: number,
): Promise<boolean> {
  const claimed = await queryable
    .updateTable("channel_keys")
    .set({ failed_probes: failedProbes + 1, probe_time: nextAt })
    .where("id", "=", id)
    .where("failed_probes", "=", failedProbes)
    .where("status", "=", KEY_STATUS.autoDisabled)
    .returning("id")
    .executeTakeFirst();
  return claimed !== undefined;
}
