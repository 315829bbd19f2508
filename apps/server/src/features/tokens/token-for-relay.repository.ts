import type { Flag } from "@one-api/database/column-values";
import { LIMIT_FIELDS, type LimitField } from "@one-api/contract/limits/limit-constants";
import { NEVER_EXPIRES, TOKEN_STATUS } from "@one-api/contract/token-constants";
import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import type { OpenDatabase } from "@one-api/database/open-database";
import { type RawBuilder, sql, type SqlBool } from "kysely";
import type { Queryable } from "../../core/transaction.ts";

export interface TokenForRelay extends Record<LimitField, number>, Record<`user_${LimitField}`, number> {
  readonly id: number;
  readonly user_id: number;
  readonly name: string;
  readonly status: number;
  /** Unix seconds; -1 for never. */
  readonly expired_time: number;
  readonly unlimited_quota: Flag;
  readonly models: string;
  readonly group: string;
  readonly subnet: string;
  readonly custom_contact: string;
  readonly moderations_enable: Flag;
  readonly keep_bodies: Flag;
  readonly username: string;
  readonly user_role: number;
  readonly user_status: number;
  readonly user_group: string;
  /** JSON list of the budgets of token and owner: id, of ("user" or "token"), period and amount. */
  readonly budgets: string;
  readonly key_hmac: string;
  readonly old_key_hmac: string;
  readonly old_key_ends_at: number;
}

/** Finds tokens by lookup values of their current or previous keys, unordered. */
export type FindTokensForRelay = (lookups: readonly string[]) => Promise<readonly TokenForRelay[]>;

/**
 * Prepares one statement for any number of values: it is built once and planned once for each PostgreSQL
 * connection.
 */
export function prepareFindTokensForRelay({ kind, db }: Pick<OpenDatabase, "kind" | "db">): FindTokensForRelay {
  const compiled = tokensWith({ kind, db }, (column) =>
    kind === "sqlite"
      ? sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${""}))`
      : sql<SqlBool>`${sql.ref(column)} = any(string_to_array(${""}, ','))`,
  ).compile();
  return async (lookups) => {
    const list = kind === "sqlite" ? JSON.stringify(lookups) : lookups.join(",");
    const { rows } = await db.executeQuery<TokenForRelay>({
      ...compiled,
      parameters: compiled.parameters.map(() => list),
    });
    return rows;
  };
}

const BUDGET_OF = "case budgets.token_id when 0 then 'user' else 'token' end";
const BUDGETS_ON_SQLITE = `json_group_array(json_object('id', budgets.id, 'of', ${BUDGET_OF}, 'period', budgets.period, 'amount', budgets.amount))`;
const BUDGETS_ON_POSTGRES = `json_agg(json_build_object('id', budgets.id, 'of', ${BUDGET_OF}, 'period', budgets.period, 'amount', budgets.amount))::text`;

function tokensWith({ kind, db }: Pick<OpenDatabase, "kind" | "db">, isAmong: (column: string) => RawBuilder<SqlBool>) {
  return db
    .selectFrom("tokens")
    .innerJoin("users", "users.id", "tokens.user_id")
    .select([
      "tokens.id",
      "tokens.user_id",
      "tokens.name",
      "tokens.status",
      "tokens.expired_time",
      "tokens.unlimited_quota",
      "tokens.models",
      "tokens.group",
      "tokens.subnet",
      ...LIMIT_FIELDS.flatMap((field) => [`tokens.${field}` as const, `users.${field} as user_${field}` as const]),
      "tokens.custom_contact",
      "tokens.moderations_enable",
      "tokens.keep_bodies",
      "users.username",
      "users.role as user_role",
      "users.status as user_status",
      "users.group as user_group",
      "tokens.key_hmac",
      "tokens.old_key_hmac",
      "tokens.old_key_ends_at",
    ])
    .select([
      sql<string>`(select coalesce(${sql.raw(kind === "sqlite" ? BUDGETS_ON_SQLITE : BUDGETS_ON_POSTGRES)}, '[]') from budgets
        where budgets.user_id = tokens.user_id and budgets.token_id in (0, tokens.id))`.as("budgets"),
    ])
    .where((where) =>
      where.or([
        isAmong("tokens.key_hmac"),
        // Repeats the condition of the partial index, which excludes tokens without a previous key.
        where.and([where("tokens.old_key_hmac", "<>", sql.lit("")), isAmong("tokens.old_key_hmac")]),
      ]),
    );
}

export async function addFlaggedPrompts(queryable: Queryable, counts: ReadonlyMap<number, number>): Promise<void> {
  for (const [tokenId, count] of counts) {
    await queryable
      .updateTable("tokens")
      .set((row) => ({ flagged_count: row("flagged_count", "+", count) }))
      .where("id", "=", tokenId)
      .execute();
  }
}

/**
 * True if requests may use the token at the time (Unix seconds): it and its owner exist, are enabled and not
 * expired.
 */
export async function isTokenInForce(queryable: Queryable, tokenId: number, now: number): Promise<boolean> {
  const found = await queryable
    .selectFrom("tokens")
    .innerJoin("users", "users.id", "tokens.user_id")
    .select("tokens.id")
    .where("tokens.id", "=", tokenId)
    .where("tokens.status", "<>", TOKEN_STATUS.disabled)
    .where("users.status", "=", USER_STATUS.enabled)
    .where((where) =>
      where.or([where("tokens.expired_time", "=", NEVER_EXPIRES), where("tokens.expired_time", ">", now)]),
    )
    .executeTakeFirst();
  return found !== undefined;
}
