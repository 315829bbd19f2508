import { CHANNEL_STATUS, KEY_STATUS } from "@one-api/contract/channels/channel-constants";
import { TOKEN_STATUS } from "@one-api/contract/token-constants";
import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import { type SqlBool, sql } from "kysely";
import type { Queryable } from "../../core/transaction.ts";
import type { IdRange } from "../alerts/index.ts";

export interface ExpiringKey {
  readonly id: number;
  readonly name: string;
  readonly owner: string;
  readonly expires_at: number;
  readonly level: number;
}

/** In Unix seconds. */
export interface ExpiryWindow {
  readonly since: number;
  readonly soon: number;
  /** Times before which an end has reached a level, the highest level first. */
  readonly marks: readonly { readonly before: number; readonly level: number }[];
}

const MOST_KEYS = 500;

const LEVEL = sql<number>`coalesce(sent.level, 0)`.as("level");

/** True for an end of another level than the reported one, and for a reported end that is far or gone. */
function isDue(column: string, { since, soon, marks }: ExpiryWindow) {
  const end = sql.ref(column);
  const levels = marks.map(({ before, level }) => sql`when ${end} <= ${before} then ${sql.lit(level)}`);
  return sql<SqlBool>`((${end} > 0 and ${end} between ${since} and ${soon}
      and coalesce(sent.level, 0) <> case ${sql.join(levels, sql` `)} else 0 end)
    or (sent.level is not null and (${end} <= 0 or ${end} > ${soon})))`;
}

export function listExpiringTokens(
  queryable: Queryable,
  { after, last }: IdRange,
  window: ExpiryWindow,
): Promise<ExpiringKey[]> {
  return queryable
    .selectFrom("tokens")
    .innerJoin("users", "users.id", "tokens.user_id")
    .leftJoin("alert_states as sent", (join) =>
      join.onRef("sent.id", "=", "tokens.id").on("sent.kind", "=", "token-end"),
    )
    .select(["tokens.id", "tokens.name", "users.username as owner", "tokens.expired_time as expires_at", LEVEL])
    .where("tokens.id", ">", after)
    .where("tokens.id", "<=", last)
    .where("tokens.status", "<>", TOKEN_STATUS.disabled)
    .where("users.status", "=", USER_STATUS.enabled)
    .where(isDue("tokens.expired_time", window))
    .orderBy("tokens.id")
    .limit(MOST_KEYS)
    .execute();
}

export function listExpiringManagementKeys(queryable: Queryable, window: ExpiryWindow): Promise<ExpiringKey[]> {
  return queryable
    .selectFrom("management_keys")
    .innerJoin("users", "users.id", "management_keys.user_id")
    .leftJoin("alert_states as sent", (join) =>
      join.onRef("sent.id", "=", "management_keys.id").on("sent.kind", "=", "management-key-end"),
    )
    .select(["management_keys.id", "management_keys.name", "users.username as owner"])
    .select(["management_keys.expires_at", LEVEL])
    .where("management_keys.revoked_at", "=", 0)
    .where("users.status", "=", USER_STATUS.enabled)
    .where(isDue("management_keys.expires_at", window))
    .orderBy("management_keys.id")
    .limit(MOST_KEYS)
    .execute();
}

/** Keys of channels that hold one key. */
export function listExpiringChannels(queryable: Queryable, window: ExpiryWindow): Promise<ExpiringKey[]> {
  return queryable
    .selectFrom("channels")
    .leftJoin("alert_states as sent", (join) =>
      join.onRef("sent.id", "=", "channels.id").on("sent.kind", "=", "channel-end"),
    )
    .select(["channels.id", sql<string>`''`.as("name"), "channels.name as owner"])
    .select(["channels.key_expires_at as expires_at", LEVEL])
    .where("channels.status", "<>", CHANNEL_STATUS.disabled)
    .where(sql<SqlBool>`not exists (select 1 from channel_keys where channel_keys.channel_id = channels.id)`)
    .where(isDue("channels.key_expires_at", window))
    .orderBy("channels.id")
    .limit(MOST_KEYS)
    .execute();
}

export function listExpiringChannelKeys(queryable: Queryable, window: ExpiryWindow): Promise<ExpiringKey[]> {
  return queryable
    .selectFrom("channel_keys")
    .innerJoin("channels", "channels.id", "channel_keys.channel_id")
    .leftJoin("alert_states as sent", (join) =>
      join.onRef("sent.id", "=", "channel_keys.id").on("sent.kind", "=", "channel-key-end"),
    )
    .select(["channel_keys.id", "channel_keys.key_end as name", "channels.name as owner"])
    .select(["channel_keys.expires_at", LEVEL])
    .where("channels.status", "<>", CHANNEL_STATUS.disabled)
    .where("channel_keys.status", "<>", KEY_STATUS.disabled)
    .where(isDue("channel_keys.expires_at", window))
    .orderBy("channel_keys.id")
    .limit(MOST_KEYS)
    .execute();
}

export async function findNewestTokenId(queryable: Queryable): Promise<number> {
  const row = await queryable.selectFrom("tokens").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  return row?.id ?? 0;
}

export function listChannelAddresses(queryable: Queryable) {
  return queryable
    .selectFrom("channels")
    .select(["name", "type", "base_url", "proxy"])
    .where("status", "<>", CHANNEL_STATUS.disabled)
    .orderBy("name")
    .execute();
}
