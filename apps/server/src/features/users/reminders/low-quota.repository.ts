import { ROLE } from "@one-api/contract/accounts/roles";
import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import { type SqlBool, sql } from "kysely";
import type { IdRange } from "../../alerts/index.ts";
import type { Queryable } from "../../../core/transaction.ts";

export interface UserLowOnQuota {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  /** Remaining quota, including that reserved by running requests and batches. */
  readonly left: number;
  readonly used_up: 0 | 1;
  readonly language: string;
}

const MOST_USERS = 500;

export const ALERT_LEVEL = { low: 1, usedUp: 2 } as const;

const left = sql<number>`(user_balances.remaining + coalesce((select cast(sum(share.remaining) as bigint)
  from shares as share join owners on owners.id = share.owner and owners.state = 'batch'
  where share.kind = 1 and share.account = user_balances.user_id), 0))`;

export interface QuotaMarks {
  readonly low: number;
  /** Counts as used up if a call was refused as well; not below `low`. */
  readonly usedUp: number;
}

/** Users whose quota fell below the threshold, or is used up, since the last alert. Users without usage are skipped. */
export function listUsersLowOnQuota(
  queryable: Queryable,
  { after, last }: IdRange,
  marks: QuotaMarks,
  refusedIds: readonly number[],
): Promise<UserLowOnQuota[]> {
  const isUsedUp = sql<SqlBool>`(${left} = 0 or (${left} < ${marks.usedUp} and users.id in (${sql.join([0, ...refusedIds])})))`;
  return queryable
    .selectFrom("user_balances")
    .innerJoin("users", "users.id", "user_balances.user_id")
    .leftJoin("alert_states as sent", (join) =>
      join.onRef("sent.id", "=", "user_balances.user_id").on("sent.kind", "=", "user-quota"),
    )
    .select(["users.id", "username", "email", "language", left.as("left")])
    .select(sql<0 | 1>`case when ${isUsedUp} then 1 else 0 end`.as("used_up"))
    .where("user_balances.user_id", ">", after)
    .where("user_balances.user_id", "<=", last)
    .where("remaining", "<", marks.usedUp)
    .where("used", ">", 0)
    .where("email", "<>", "")
    .where("status", "=", USER_STATUS.enabled)
    .where(sql<SqlBool>`(${isUsedUp} or ${left} < ${marks.low})`)
    .where(sql<SqlBool>`(sent.level is null or (sent.level = ${ALERT_LEVEL.low} and ${isUsedUp}))`)
    .orderBy("users.id")
    .limit(MOST_USERS)
    .execute();
}

export async function findNewestUserId(queryable: Queryable): Promise<number> {
  const row = await queryable.selectFrom("users").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  return row?.id ?? 0;
}

export async function forgetToppedUpUsers(queryable: Queryable, marks: QuotaMarks): Promise<void> {
  const balance = sql<number>`coalesce((select remaining from user_balances where user_id = alert_states.id), ${marks.usedUp})`;
  const mark = sql<number>`case when level = ${ALERT_LEVEL.low} then cast(${marks.low} as bigint) else cast(${marks.usedUp} as bigint) end`;
  await queryable
    .deleteFrom("alert_states")
    .where("kind", "=", "user-quota")
    .where(sql<SqlBool>`${balance} >= ${mark}`)
    .execute();
}

export async function findRootContact(queryable: Queryable): Promise<{ email: string; language: string }> {
  const root = await queryable
    .selectFrom("users")
    .select(["email", "language"])
    .where("role", "=", ROLE.root)
    .where("status", "=", USER_STATUS.enabled)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return root ?? { email: "", language: "" };
}

export async function storeLanguage(queryable: Queryable, id: number, language: string): Promise<void> {
  await queryable
    .updateTable("users")
    .set({ language })
    .where("id", "=", id)
    .where("language", "<>", language)
    .execute();
}

/** Users among the ids (some hundreds at most) with less than `below`, lowest first. */
export function listShortUsers(
  queryable: Queryable,
  { ids, below, most }: { readonly ids: readonly number[]; readonly below: number; readonly most: number },
): Promise<{ id: number; username: string; remaining: number }[]> {
  return queryable
    .selectFrom("user_balances")
    .innerJoin("users", "users.id", "user_balances.user_id")
    .select(["users.id", "users.username", "user_balances.remaining"])
    .where("users.id", "in", [0, ...ids])
    .where("users.status", "=", USER_STATUS.enabled)
    .where("user_balances.remaining", "<", below)
    .orderBy("user_balances.remaining")
    .limit(most)
    .execute();
}
