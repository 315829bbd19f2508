import { TOKEN_STATUS } from "@one-api/contract/token-constants";
import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import { type AliasableExpression, type SqlBool, sql } from "kysely";
import type { Queryable } from "../../core/transaction.ts";
import type { IdRange } from "../alerts/index.ts";

/** A balance with a mark to report, or with a report that is no longer true. */
export interface UsedBalance {
  readonly id: number;
  readonly username: string;
  readonly token: string | null;
  /** The balance after the user's last top-up, or the token's quota as its owner last set it. */
  readonly whole: number;
  readonly spent: number;
  readonly level: number;
  /** 1 if the last report is about an earlier balance. */
  readonly is_outdated: 0 | 1;
}

/** Balances of one query. The next run handles the rest. */
const MOST_BALANCES = 500;

/** Quota that batches have reserved is not spent yet. */
const reserved = (kind: 1 | 2, id: "users.id" | "tokens.id") => sql<number>`coalesce((
  select cast(sum(share.remaining) as bigint) from shares as share join owners on owners.id = share.owner and owners.state = 'batch'
  where share.kind = ${sql.lit(kind)} and share.account = ${sql.ref(id)}), 0)`;

/** `marks` in percent. Users without a known top-up are skipped. */
export function listUsedBalancesOfUsers(
  queryable: Queryable,
  { after, last }: IdRange,
  marks: readonly number[],
): Promise<UsedBalance[]> {
  const lastTopUp = sql<number>`(select id from ledger_entries where ledger_entries.user_id = users.id
    and user_amount <> 0 and kind in ('grant', 'redeem') order by ledger_entries.id desc limit 1)`;
  const balances = queryable
    .selectFrom("users")
    .innerJoin("user_balances", "user_balances.user_id", "users.id")
    .innerJoin("ledger_entries as top_up", (join) => join.on("top_up.id", "=", lastTopUp))
    .leftJoin("alert_states as sent", (join) =>
      join.onRef("sent.id", "=", "users.id").on("sent.kind", "=", "user-balance"),
    )
    .select(["users.id", "users.username", "top_up.user_remaining as whole", "top_up.created_at as renewed_at"])
    .select([sql<string | null>`null`.as("token"), "sent.at as sent_at"])
    .select(sql<number>`user_balances.remaining + ${reserved(1, "users.id")}`.as("left"))
    .select(sql<number>`coalesce(sent.level, 0)`.as("level"))
    .where("user_balances.user_id", ">", after)
    .where("user_balances.user_id", "<=", last)
    .where("user_balances.used", ">", 0)
    .where("users.status", "=", USER_STATUS.enabled);
  return listDue(queryable, balances, marks);
}

/** `marks` in percent. */
export function listUsedBalancesOfTokens(
  queryable: Queryable,
  { after, last }: IdRange,
  marks: readonly number[],
): Promise<UsedBalance[]> {
  const balances = queryable
    .selectFrom("tokens")
    .innerJoin("token_balances", "token_balances.token_id", "tokens.id")
    .innerJoin("users", "users.id", "tokens.user_id")
    .leftJoin("alert_states as sent", (join) =>
      join.onRef("sent.id", "=", "tokens.id").on("sent.kind", "=", "token-balance"),
    )
    .select(["tokens.id", "users.username", "tokens.name as token", "tokens.quota_ceiling as whole"])
    // The time at which its owner set the quota is not known.
    .select([sql<number>`0`.as("renewed_at"), "sent.at as sent_at"])
    .select(sql<number>`token_balances.remaining + ${reserved(2, "tokens.id")}`.as("left"))
    .select(sql<number>`coalesce(sent.level, 0)`.as("level"))
    .where("token_balances.token_id", ">", after)
    .where("token_balances.token_id", "<=", last)
    .where("tokens.unlimited_quota", "=", 0)
    .where("tokens.status", "<>", TOKEN_STATUS.disabled)
    .where("users.status", "=", USER_STATUS.enabled);
  return listDue(queryable, balances, marks);
}

/** A balance that is used less than the last report says, or that a top-up has replaced since. */
const IS_OUTDATED = sql<SqlBool>`(balance.level > 0
  and ((balance.whole - balance."left") * 100 < balance.whole * balance.level or balance.sent_at < balance.renewed_at))`;

const SPENT = sql<number>`(balance.whole - balance."left")`;

/** A balance in full: the remainder, and the times of the last report and of the last top-up. */
type FullBalance = Pick<UsedBalance, "id" | "username" | "token" | "whole" | "level"> & {
  readonly left: number;
  readonly sent_at: number | null;
  readonly renewed_at: number;
};

function listDue(
  queryable: Queryable,
  balances: AliasableExpression<FullBalance>,
  marks: readonly number[],
): Promise<UsedBalance[]> {
  return queryable
    .selectFrom(balances.as("balance"))
    .select(["id", "username", "token", "whole", SPENT.as("spent"), "level"])
    .select(sql<0 | 1>`case when ${IS_OUTDATED} then 1 else 0 end`.as("is_outdated"))
    .where(isDue(marks))
    .orderBy("id")
    .limit(MOST_BALANCES)
    .execute();
}

function isDue(marks: readonly number[]) {
  const reached = marks.map(
    (mark) => sql<SqlBool>`(${SPENT} * 100 >= balance.whole * ${sql.lit(mark)} and balance.level < ${sql.lit(mark)})`,
  );
  return sql<SqlBool>`(balance.whole > 0 and (${sql.join([...reached, IS_OUTDATED], sql` or `)}))`;
}

/** Newest ids of users and tokens; 0 for none. */
export async function findNewestIds(queryable: Queryable): Promise<{ users: number; tokens: number }> {
  const newest = (table: "users" | "tokens") =>
    queryable.selectFrom(table).select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  const [users, tokens] = [await newest("users"), await newest("tokens")];
  return { users: users?.id ?? 0, tokens: tokens?.id ?? 0 };
}
