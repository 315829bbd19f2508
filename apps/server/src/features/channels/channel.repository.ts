import { CHANNEL_STATUS } from "@one-api/contract/channels/channel";
import { splitList } from "@one-api/contract/fields";
import type { OpenDatabase } from "@one-api/database/open-database";
import type { Tables } from "@one-api/database/tables";
import { type Insertable, type Selectable, type SqlBool, sql, type Updateable } from "kysely";
import type { Queryable } from "../../core/transaction.ts";

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
  "soft_limit_usd",
  "calc_prompt",
  "priority",
  "weight",
  "costs",
  "tags",
] as const;

/** Columns of a channel but its secrets and what is too long for lists. */
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
] as const;

const DETAIL_COLUMNS = [...CHANNEL_COLUMNS, "provider_models"] as const;

/** Columns of a channel with its secrets, sealed. */
export const SEALED_COLUMNS = [...CHANNEL_COLUMNS, "key_cipher", "config_cipher"] as const;

type Channel = Selectable<Tables["channels"]>;

/** What administrators fill in, but the key and the config. */
export type ChannelFields = Pick<Channel, (typeof FIELD_COLUMNS)[number]>;

/** A channel without its secrets. */
export type ChannelRow = Pick<Channel, (typeof CHANNEL_COLUMNS)[number]>;

/** A channel without its secrets, with what is too long for lists. */
export type ChannelDetailRow = Pick<Channel, (typeof DETAIL_COLUMNS)[number]>;

/** A channel with its secrets, sealed. */
export type SealedChannelRow = Pick<Channel, (typeof SEALED_COLUMNS)[number]>;

/** What an edit, a test or the relay changes. */
export type ChannelChanges = Omit<Updateable<Tables["channels"]>, "id" | "created_time" | "used_quota">;

/** Writing a row locks it on both databases; SQLite knows no `for update`. */
const UNCHANGED = { name: sql<string>`${sql.ref("name")}` };

/** Rows of one insert, ids of one delete: both databases limit the parameters of a statement. */
const ROWS_PER_STATEMENT = 1_000;

/** A channel and what it serves to whom, as comma-separated lists. */
export interface ServingChannel {
  readonly id: number;
  readonly models: string;
  readonly group: string;
}

/** What administrators filled in. */
export function fieldsOf(row: ChannelFields): ChannelFields {
  const { type, name, base_url, other, models, group, model_mapping, system_prompt, organization } = row;
  const { soft_limit_usd, calc_prompt, priority, weight, costs, tags } = row;
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
    soft_limit_usd,
    calc_prompt,
    priority,
    weight,
    costs,
    tags,
  };
}

/** The channel with that id. */
export function findChannel(queryable: Queryable, id: number): Promise<ChannelDetailRow | undefined> {
  return queryable.selectFrom("channels").select(DETAIL_COLUMNS).where("id", "=", id).executeTakeFirst();
}

/** The channel with that id, sealed secrets included. */
export function findSealedChannel(queryable: Queryable, id: number): Promise<SealedChannelRow | undefined> {
  return queryable.selectFrom("channels").select(SEALED_COLUMNS).where("id", "=", id).executeTakeFirst();
}

/** The channel with that id, sealed secrets included, held against other changes until the transaction ends. */
export function lockSealedChannel(queryable: Queryable, id: number): Promise<SealedChannelRow | undefined> {
  return queryable
    .updateTable("channels")
    .set(UNCHANGED)
    .where("id", "=", id)
    .returning(SEALED_COLUMNS)
    .executeTakeFirst();
}

/**
 * What each channel serves to whom, each held against other changes until the transaction ends. Two that ask for all at once wait in one
 * order: PostgreSQL would take rows as they lie, which every change shuffles.
 */
export async function lockServedModels(queryable: Queryable, kind: OpenDatabase["kind"]): Promise<ServingChannel[]> {
  if (kind === "postgres") await queryable.selectFrom("channels").select("id").orderBy("id").forUpdate().execute();
  return queryable.updateTable("channels").set(UNCHANGED).returning(["id", "models", "group"]).execute();
}

/** Every enabled channel, sealed secrets included. */
export function listEnabledSealedChannels(queryable: Queryable): Promise<SealedChannelRow[]> {
  return queryable
    .selectFrom("channels")
    .select(SEALED_COLUMNS)
    .where("status", "=", CHANNEL_STATUS.enabled)
    .orderBy("id")
    .execute();
}

/**
 * Enabled channels, or the one with that id, that have spent their limit since that began to count. `quotaPerUnit` is the quota of one
 * dollar.
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

/** How many channels of a type are enabled, and how many wait in the reserve. */
export interface ChannelStock {
  readonly type: number;
  readonly enabled: number;
  readonly reserves: number;
}

/** The stock of each type that has a reserve. */
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
 * Enables the oldest reserve channel of the type while fewer than the threshold are enabled, in one statement: two that run at the same
 * time want the same row, and the second finds it enabled already. Undefined when there is nothing to do.
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

/** Ids of the channels in one of the states, oldest first; without states, of all. */
export async function listChannelIds(queryable: Queryable, statuses?: readonly number[]): Promise<number[]> {
  let query = queryable.selectFrom("channels").select("id").orderBy("id");
  if (statuses !== undefined) query = query.where("status", "in", statuses);
  return (await query.execute()).map(({ id }) => id);
}

/** What each channel serves to whom, as comma-separated lists. */
export function listServedModels(queryable: Queryable): Promise<Pick<Channel, "id" | "type" | "models" | "group">[]> {
  return queryable.selectFrom("channels").select(["id", "type", "models", "group"]).orderBy("id").execute();
}

/** The models that enabled channels serve to any of the groups, with the type of channel, each pair once, sorted. */
export function listModelsServedTo(
  queryable: Queryable,
  groups: readonly string[],
): Promise<{ type: number; model: string }[]> {
  return queryable
    .selectFrom("channel_models")
    .innerJoin("channels", "channels.id", "channel_models.channel_id")
    .select(["channels.type", "channel_models.model"])
    .distinct()
    .where("channel_models.group", "in", groups)
    .where("channels.status", "=", CHANNEL_STATUS.enabled)
    .orderBy("channels.type")
    .orderBy("channel_models.model")
    .execute();
}

/** Whether there is a channel, in whatever state, that serves the model to any of the groups. */
export async function hasChannelFor(queryable: Queryable, groups: readonly string[], model: string): Promise<boolean> {
  const row = await queryable
    .selectFrom("channel_models")
    .select("channel_id")
    .where("group", "in", groups)
    .where("model", "=", model)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Adds the channel and returns its id. */
export async function insertChannel(queryable: Queryable, channel: Insertable<Tables["channels"]>): Promise<number> {
  const { id } = await queryable.insertInto("channels").values(channel).returning("id").executeTakeFirstOrThrow();
  return id;
}

/** Changes the named columns and returns the channel; undefined when there is none, or none in one of the states. */
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

/** Deletes the channel, its rows of the model index with it. Returns whether there was one. */
export async function deleteChannelRow(queryable: Queryable, id: number): Promise<boolean> {
  const result = await queryable.deleteFrom("channels").where("id", "=", id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Deletes the channels in one of the states, their rows of the model index with them. Returns their ids. */
export async function deleteChannelsIn(queryable: Queryable, statuses: readonly number[]): Promise<number[]> {
  const rows = await queryable.deleteFrom("channels").where("status", "in", statuses).returning("id").execute();
  return rows.map(({ id }) => id).sort((left, right) => left - right);
}

/** Adds the channels to the model index; they must not be in it. */
export async function indexChannels(queryable: Queryable, channels: readonly ServingChannel[]): Promise<void> {
  const rows = channels.flatMap(indexRows);
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    await queryable
      .insertInto("channel_models")
      .values(rows.slice(start, start + ROWS_PER_STATEMENT))
      .execute();
  }
}

/** Takes the channels out of the model index. */
export async function unindexChannels(queryable: Queryable, channelIds: readonly number[]): Promise<void> {
  for (let start = 0; start < channelIds.length; start += ROWS_PER_STATEMENT) {
    await queryable
      .deleteFrom("channel_models")
      .where("channel_id", "in", channelIds.slice(start, start + ROWS_PER_STATEMENT))
      .execute();
  }
}

function indexRows({ id, models, group }: ServingChannel): Selectable<Tables["channel_models"]>[] {
  const ofModels = [...new Set(splitList(models))];
  return [...new Set(splitList(group))].flatMap((name) =>
    ofModels.map((model) => ({ group: name, model, channel_id: id })),
  );
}
