import type { Queryable } from "../../core/transaction.ts";
import type { FailureCount } from "./login-throttle.policy.ts";

/** The subject's count, held until the transaction ends: guesses made at the same time are counted one after the other. */
export async function holdFailureCount(queryable: Queryable, subject: string): Promise<FailureCount> {
  const row = await queryable
    .insertInto("login_failures")
    .values({ subject, failures: 0, last_failure_at: 0, blocked_until: 0 })
    .onConflict((conflict) => conflict.column("subject").doUpdateSet({ subject }))
    .returning(["failures", "last_failure_at", "blocked_until"])
    .executeTakeFirstOrThrow();
  return { failures: row.failures, lastFailureAt: row.last_failure_at, blockedUntil: row.blocked_until };
}

export async function saveFailureCount(queryable: Queryable, subject: string, count: FailureCount): Promise<void> {
  await queryable
    .updateTable("login_failures")
    .set({ failures: count.failures, last_failure_at: count.lastFailureAt, blocked_until: count.blockedUntil })
    .where("subject", "=", subject)
    .execute();
}

export async function deleteFailureCount(queryable: Queryable, subject: string): Promise<void> {
  await queryable.deleteFrom("login_failures").where("subject", "=", subject).execute();
}

/** Removes counts that no longer matter to anybody. */
export async function deleteOldFailureCounts(queryable: Queryable, lastFailureBefore: number): Promise<void> {
  await queryable.deleteFrom("login_failures").where("last_failure_at", "<", lastFailureBefore).execute();
}
