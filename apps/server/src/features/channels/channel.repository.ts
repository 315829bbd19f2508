import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import type { OpenDatabase } from "@one-api/database/open-database";
import type { Tables } from "@one-api/database/tables";
import { type Insertable, type Selectable, type SqlBool, sql, type Updateable } from "kysely";
import type { Queryable } from "../../core/transaction.ts";
import type { ServingChannel } from "./channel-models.repository.ts";

const FIELD_COLUMNS = [
  "type",
  "name",
  "base_url",
  "other",
  "models",
  "group",
  "model_mapping",
  "system_prompt",
  "organization",
  "proxy",
  "soft_limit_usd",
  "calc_prompt",
  "priority",
  "weight",
  "costs",
  "dialect_urls",
  "overrides",
  "first_token_seconds",
  "idle_seconds",
  "total_seconds",
  "paused_until",
  "key_expires_at",
  "tags",
  "test_model",
  "scheduled_checks",
  "test_minutes",
  "balance_minutes",
  "models_minutes",
] as const;

export const CHANNEL_COLUMNS = [
  ...FIELD_COLUMNS,
  "id",
  "status",
  "status_reason",
  "config",
  "created_time",
  "test_time",
  "response_time",
  "balance",
  "balance_updated_time",
  "awake_time",
  "used_quota",
  "soft_limit_base_quota",
  "last_test",
  "status_hint",
  "probe_time",
  "failed_probes",
] as const;

const DETAIL_COLUMNS = [...CHANNEL_COLUMNS, "provider_models"] as const;

export const SEALED_COLUMNS = [...CHANNEL_COLUMNS, "key_cipher", "config_cipher", "proxy_cipher"] as const;

type Channel = Selectable<Tables["channels"]>;

export type ChannelFields = Pick<Channel, (typeof FIELD_COLUMNS)[number]>;

export type ChannelRow = Pick<Channel, (typeof CHANNEL_COLUMNS)[number]>;

export type ChannelDetailRow = Pick<Channel, (typeof DETAIL_COLUMNS)[number]>;

export type SealedChannelRow = Pick<Channel, (typeof SEALED_COLUMNS)[number]>;

export type ChannelChanges = Omit<Updateable<Tables["channels"]>, "id" | "created_time" | "used_quota">;

/** An update without a change locks the row on both databases. SQLite has no `for update`. */
const UNCHANGED = { name: sql<string>`${sql.ref("name")}` };

export function fieldsOf(row: ChannelFields): ChannelFields {
  const { type, name, base_url, other, models, group, model_mapping, system_prompt, organization, proxy } = row;
  const { first_token_seconds, idle_seconds, total_seconds, paused_until, key_expires_at } = row;
  const { test_minutes, balance_minutes, models_minutes } = row;
  const {
    soft_limit_usd,
    calc_prompt,
    priority,
    weight,
    costs,
    dialect_urls,
    overrides,
    tags,
    test_model,
    scheduled_checks,
  } = row;
  return {
    type,
    name,
    base_url,
    other,
    models,
    group,
    model_mapping,
    system_prompt,
    organization,
    proxy,
    soft_limit_usd,
    calc_prompt,
    priority,
    weight,
    costs,
    dialect_urls,
    overrides,
    first_token_seconds,
    idle_seconds,
    total_seconds,
    paused_until,
    key_expires_at,
    tags,
    test_model,
    scheduled_checks,
    test_minutes,
    balance_minutes,
    models_minutes,
  };
}

export function findChannel(queryable: Queryable, id: number): Promise<ChannelDetailRow | undefined> {
  return queryable.selectFrom("channels").select(DETAIL_COLUMNS).where("id", "=", id).executeTakeFirst();
}

export function findSealedChannel(queryable: Queryable, id: number): Promise<SealedChannelRow | undefined> {
  return queryable.selectFrom("channels").select(SEALED_COLUMNS).where("id", "=", id).executeTakeFirst();
}

/** All channels, oldest first. */
export function listSealedChannels(queryable: Queryable): Promise<SealedChannelRow[]> {
  return queryable.selectFrom("channels").select(SEALED_COLUMNS).orderBy("id").execute();
}

/** Locks the row until the transaction ends. */
export function lockSealedChannel(queryable: Queryable, id: number): Promise<SealedChannelRow | undefined> {
  return queryable
    .updateTable("channels")
    .set(UNCHANGED)
    .where("id", "=", id)
    .returning(SEALED_COLUMNS)
    .executeTakeFirst();
}

/**
 * Locks all rows until the transaction ends. On PostgreSQL they are locked by id first, as a scan's order
 * varies and could deadlock.
 */
export async function lockServedModels(queryable: Queryable, kind: OpenDatabase["kind"]): Promise<ServingChannel[]> {
  if (kind === "postgres") await queryable.selectFrom("channels").select("id").orderBy("id").forUpdate().execute();
  return queryable.updateTable("channels").set(UNCHANGED).returning(["id", "models", "group"]).execute();
}

export function listEnabledSealedChannels(queryable: Queryable): Promise<SealedChannelRow[]> {
  return queryable
    .selectFrom("channels")
    .select(SEALED_COLUMNS)
    .where("status", "=", CHANNEL_STATUS.enabled)
    .orderBy("id")
    .execute();
}

/**
 * Enabled channels, or the one with the id, that have reached their spending limit. `quotaPerUnit` is the
 * quota of one dollar.
 */
export function listSpentChannels(queryable: Queryable, quotaPerUnit: number, id?: number): Promise<ChannelRow[]> {
  const spent = sql<number>`(${sql.ref("used_quota")} - ${sql.ref("soft_limit_base_quota")})`;
  const channels = queryable.selectFrom("channels");
  return (id === undefined ? channels : channels.where("id", "=", id))
    .select(CHANNEL_COLUMNS)
    .where("status", "=", CHANNEL_STATUS.enabled)
    .where("soft_limit_usd", ">", 0)
    .where(sql<SqlBool>`${spent} >= ${sql.ref("soft_limit_usd")} * cast(${quotaPerUnit} as double precision)`)
    .orderBy("id")
    .execute();
}

export interface ChannelStock {
  readonly type: number;
  readonly enabled: number;
  readonly reserves: number;
}

export function countReserves(queryable: Queryable): Promise<ChannelStock[]> {
  const count = (status: number) => sql<number>`sum(case when ${sql.ref("status")} = ${status} then 1 else 0 end)`;
  return queryable
    .selectFrom("channels")
    .select(["type", count(CHANNEL_STATUS.enabled).as("enabled"), count(CHANNEL_STATUS.reserve).as("reserves")])
    .groupBy("type")
    .having(count(CHANNEL_STATUS.reserve), ">", 0)
    .orderBy("type")
    .execute();
}

/**
 * Enables the oldest reserve channel of the type while fewer than `threshold` are enabled.
 * A single statement, so that a concurrent one finds the row enabled already.
 */
export function enableOldestReserve(
  queryable: Queryable,
  type: number,
  threshold: number,
): Promise<ChannelRow | undefined> {
  return queryable
    .updateTable("channels")
    .set({ status: CHANNEL_STATUS.enabled, status_reason: "", awake_time: 0 })
    .where("status", "=", CHANNEL_STATUS.reserve)
    .where("id", "=", (builder) =>
      builder
        .selectFrom("channels as oldest")
        .select((select) => select.fn.min<number>("oldest.id").as("id"))
        .where("oldest.type", "=", type)
        .where("oldest.status", "=", CHANNEL_STATUS.reserve),
    )
    .where(
      (builder) =>
        builder
          .selectFrom("channels as serving")
          .select((select) => select.fn.countAll<number>().as("count"))
          .where("serving.type", "=", type)
          .where("serving.status", "=", CHANNEL_STATUS.enabled),
      "<",
      threshold,
    )
    .returning(CHANNEL_COLUMNS)
    .executeTakeFirst();
}

export async function listChannelIds(queryable: Queryable, statuses?: readonly number[]): Promise<number[]> {
  let query = queryable.selectFrom("channels").select("id").orderBy("id");
  if (statuses !== undefined) query = query.where("status", "in", statuses);
  return (await query.execute()).map(({ id }) => id);
}

export function listServedModels(
  queryable: Queryable,
): Promise<Pick<Channel, "id" | "type" | "status" | "models" | "group" | "model_mapping">[]> {
  const columns = ["id", "type", "status", "models", "group", "model_mapping"] as const;
  return queryable.selectFrom("channels").select(columns).orderBy("id").execute();
}

export async function insertChannel(queryable: Queryable, channel: Insertable<Tables["channels"]>): Promise<number> {
  const { id } = await queryable.insertInto("channels").values(channel).returning("id").executeTakeFirstOrThrow();
  return id;
}

/** Returns undefined if no channel has the id and one of the states. */
export function changeChannel(
  queryable: Queryable,
  id: number,
  changes: ChannelChanges,
  statuses?: readonly number[],
): Promise<ChannelRow | undefined> {
  let query = queryable.updateTable("channels").set(changes).where("id", "=", id);
  if (statuses !== undefined) query = query.where("status", "in", statuses);
  return query.returning(CHANNEL_COLUMNS).executeTakeFirst();
}

export async function deleteChannelRow(queryable: Queryable, id: number): Promise<boolean> {
  const result = await queryable.deleteFrom("channels").where("id", "=", id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function deleteChannelsIn(
  queryable: Queryable,
  statuses: readonly number[],
): Promise<Pick<ChannelRow, "id" | "name">[]> {
  const rows = await queryable
    .deleteFrom("channels")
    .where("status", "in", statuses)
    .returning(["id", "name"])
    .execute();
  return rows.toSorted((left, right) => left.id - right.id);
}
