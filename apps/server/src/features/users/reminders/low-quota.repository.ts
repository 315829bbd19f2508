import { ROLE } from "@one-api/contract/accounts/roles";
import { USER_STATUS } from "@one-api/contract/accounts/user";
import { type SqlBool, sql } from "kysely";
import type { IdRange } from "../../alerts/index.ts";
import type { Queryable } from "../../../core/transaction.ts";

/** A user who is to be told that their quota is low or used up, and has not been. */
export interface UserToTell {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  /** What is left, with what running requests and batches have reserved. */
  readonly left: number;
  readonly used_up: 0 | 1;
  /** What they read; empty for unknown. */
  readonly language: string;
}

/** Users of one stretch; the rest comes with the next look. */
const MOST_USERS = 500;

/** How bad it is. */
export const TOLD = { low: 1, usedUp: 2 } as const;

/** What is left, with what batches have reserved. */
const left = sql<number>`(user_balances.remaining + coalesce((select cast(sum(share.remaining) as bigint)
  from shares as share join owners on owners.id = share.owner and owners.state = 'batch'
  where share.kind = 1 and share.account = user_balances.user_id), 0))`;

/** Below which a user is told, in quota. */
export interface QuotaMarks {
  /** That it is low. */
  readonly low: number;
  /** That it is used up, where a call was refused for lack of it; not below `low`. */
  readonly usedUp: number;
}

/**
 * Users with an address whose quota has come below the mark, or is used up, since they were last told. Who never used anything is not told.
 * Used up is nothing, or less than its mark where a call was refused for lack of it.
 */
export function listUsersToTellOfQuota(
  queryable: Queryable,
  { after, last }: IdRange,
  marks: QuotaMarks,
  refusedIds: readonly number[],
): Promise<UserToTell[]> {
  const isUsedUp = sql<SqlBool>`(${left} = 0 or (${left} < ${marks.usedUp} and users.id in (${sql.join([0, ...refusedIds])})))`;
  return queryable
    .selectFrom("user_balances")
    .innerJoin("users", "users.id", "user_balances.user_id")
    .leftJoin("alert_states as told", (join) =>
      join.onRef("told.id", "=", "user_balances.user_id").on("told.kind", "=", "user-quota"),
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
    .where(sql<SqlBool>`(told.level is null or (told.level = ${TOLD.low} and ${isUsedUp}))`)
    .orderBy("users.id")
    .limit(MOST_USERS)
    .execute();
}

/** The newest user's id; 0 when there is none. */
export async function findNewestUserId(queryable: Queryable): Promise<number> {
  const row = await queryable.selectFrom("users").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  return row?.id ?? 0;
}

/** Forgets what was told to users who have more than its mark again. */
export async function forgetToppedUpUsers(queryable: Queryable, marks: QuotaMarks): Promise<void> {
  const balance = sql<number>`coalesce((select remaining from user_balances where user_id = alert_states.id), ${marks.usedUp})`;
  const mark = sql<number>`case when level = ${TOLD.low} then cast(${marks.low} as bigint) else cast(${marks.usedUp} as bigint) end`;
  await queryable
    .deleteFrom("alert_states")
    .where("kind", "=", "user-quota")
    .where(sql<SqlBool>`${balance} >= ${mark}`)
    .execute();
}

/** How root is reached and what they read; both empty where nothing is known. */
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

/** Keeps what the user reads, by what their browser asks for. */
export async function keepLanguage(queryable: Queryable, id: number, language: string): Promise<void> {
  await queryable
    .updateTable("users")
    .set({ language })
    .where("id", "=", id)
    .where("language", "<>", language)
    .execute();
}

/** Those of the users, of whom there are at most some hundreds, who have less left than that, the least first. */
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
