import { ROLE } from "@one-api/contract/roles";
import { USER_STATUS } from "@one-api/contract/user";
import { type SqlBool, sql } from "kysely";
import type { Queryable } from "../../../core/transaction.ts";

/** A user who is to be told that their quota is low or used up, and has not been. */
export interface UserToTell {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  /** What is left, with what requests under way have set aside. */
  readonly left: number;
  /** What they read; empty for unknown. */
  readonly language: string;
}

/** Users of one look; the rest comes with the next one. */
const MOST_USERS = 500;

/** How bad it is. */
export const TOLD = { low: 1, usedUp: 2 } as const;

/** What is left in the balance's row, and what requests under way have taken from it and may give back. */
const left = sql<number>`(user_balances.remaining + coalesce((select cast(sum(hold.user_amount) as bigint) from relay_holds as hold
  where hold.user_id = user_balances.user_id), 0))`;

/** Users with an address who have less than the threshold left, or nothing, since they were last told. Who never used anything is not told. */
export function listUsersToTellOfQuota(queryable: Queryable, threshold: number): Promise<UserToTell[]> {
  return queryable
    .selectFrom("user_balances")
    .innerJoin("users", "users.id", "user_balances.user_id")
    .leftJoin("alert_states as told", (join) =>
      join.onRef("told.id", "=", "user_balances.user_id").on("told.kind", "=", "user-quota"),
    )
    .select(["users.id", "username", "email", "language", left.as("left")])
    .where("remaining", "<", threshold)
    .where("used", ">", 0)
    .where("email", "<>", "")
    .where("status", "=", USER_STATUS.enabled)
    .where(sql<SqlBool>`${left} < ${threshold} and (told.level is null or (told.level = ${TOLD.low} and ${left} = 0))`)
    .orderBy("users.id")
    .limit(MOST_USERS)
    .execute();
}

/** Forgets what was told to users who have the threshold again, and that it was used up to those who have something again. */
export async function forgetToppedUpUsers(queryable: Queryable, threshold: number): Promise<void> {
  const balance = sql<number>`(select remaining from user_balances where user_id = alert_states.id)`;
  const told = queryable.selectFrom("alert_states").select("id").where("kind", "=", "user-quota");
  if ((await told.limit(1).executeTakeFirst()) === undefined) return;
  await queryable
    .deleteFrom("alert_states")
    .where("kind", "=", "user-quota")
    .where(sql<SqlBool>`coalesce(${balance}, ${threshold}) >= ${threshold}`)
    .execute();
  await queryable
    .updateTable("alert_states")
    .set({ level: TOLD.low })
    .where("kind", "=", "user-quota")
    .where("level", "=", TOLD.usedUp)
    .where(sql<SqlBool>`${balance} > 0`)
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
