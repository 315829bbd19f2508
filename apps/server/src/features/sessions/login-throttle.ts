import { type Queryable, inTransaction } from "../../core/transaction.ts";
import {
  type FailureCount,
  accountNeedsHumanCheck,
  accountWaitSeconds,
  afterAccountFailure,
  afterNetworkFailure,
  networkNeedsHumanCheck,
  networkWaitSeconds,
  withoutOneFailure,
} from "./login-throttle.policy.ts";
import type { OpenDatabase } from "@one-api/database/open-database";
import type { Tables } from "@one-api/database/tables";
import type { Selectable } from "kysely";
import { AppError } from "../../core/app-error.ts";
import { networkOfAddress } from "../../core/network-of-address.ts";
import { countLogin } from "./count-login.ts";

const FORGET_AFTER_SECONDS = 48 * 3600;

/** Who tries to log in, and from where. */
export interface LoginAttempt {
  /** The account's username; for an unknown one what was typed, so that it is throttled alike. */
  readonly account: string;
  readonly address: string;
  /** Unix time in seconds. */
  readonly now: number;
}

/**
 * Counts the attempt as failed before the password is looked at, so that many guesses at once count in full; `forgiveAttempt` takes it
 * back. Throws `login-throttled` when the account or the network has to wait, and `too-many-requests` when too many log in together, which
 * counts for nobody. Kept in the database: a restart forgets nothing.
 */
export async function countAttempt(database: OpenDatabase, { account, address, now }: LoginAttempt): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const [accountSubject, networkSubject] = [accountOf(account), networkOf(address)];
    const ofAccount = await holdFailureCount(transaction, accountSubject);
    const ofNetwork = await holdFailureCount(transaction, networkSubject);
    const waitSeconds = Math.max(accountWaitSeconds(ofAccount, now), networkWaitSeconds(ofNetwork, now));
    if (waitSeconds > 0) {
      throw new AppError("login-throttled", `Too many failed logins. Try again in ${waitSeconds} s.`, {
        retryAfterSeconds: waitSeconds,
        values: { seconds: waitSeconds },
      });
    }
    await countLogin(transaction, now);
    await saveFailureCount(transaction, accountSubject, afterAccountFailure(ofAccount, now));
    await saveFailureCount(transaction, networkSubject, afterNetworkFailure(ofNetwork, now));
  });
}

/** Whether there were so many failures that a person has to show that it is one. Counts nothing. */
export async function needsHumanCheck({ db }: OpenDatabase, { account, address, now }: LoginAttempt): Promise<boolean> {
  const [accountSubject, networkSubject] = [accountOf(account), networkOf(address)];
  const rows = await db
    .selectFrom("login_failures")
    .select(["subject", "failures", "last_failure_at", "blocked_until"])
    .where("subject", "in", [accountSubject, networkSubject])
    .execute();
  return rows.some((row) => {
    const needsCheck = row.subject === accountSubject ? accountNeedsHumanCheck : networkNeedsHumanCheck;
    return needsCheck(countOf(row), now);
  });
}

/** The password was right: the account starts afresh, the network gets its try back. */
export async function forgiveAttempt(database: OpenDatabase, { account, address, now }: LoginAttempt): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await deleteFailureCount(transaction, accountOf(account));
    const ofNetwork = await holdFailureCount(transaction, networkOf(address));
    await saveFailureCount(transaction, networkOf(address), withoutOneFailure(ofNetwork));
  });
  await deleteOldFailureCounts(database.db, now - FORGET_AFTER_SECONDS);
}

function accountOf(account: string): string {
  return `account:${account.toLowerCase()}`;
}

function networkOf(address: string): string {
  return `network:${networkOfAddress(address)}`;
}

/** The subject's count, held until the transaction ends: guesses made at the same time are counted one after the other. */
async function holdFailureCount(queryable: Queryable, subject: string): Promise<FailureCount> {
  const row = await queryable
    .insertInto("login_failures")
    .values({ subject, failures: 0, last_failure_at: 0, blocked_until: 0 })
    .onConflict((conflict) => conflict.column("subject").doUpdateSet({ subject }))
    .returning(["failures", "last_failure_at", "blocked_until"])
    .executeTakeFirstOrThrow();
  return countOf(row);
}

function countOf(row: Omit<Selectable<Tables["login_failures"]>, "subject">): FailureCount {
  return { failures: row.failures, lastFailureAt: row.last_failure_at, blockedUntil: row.blocked_until };
}

async function saveFailureCount(queryable: Queryable, subject: string, count: FailureCount): Promise<void> {
  await queryable
    .updateTable("login_failures")
    .set({ failures: count.failures, last_failure_at: count.lastFailureAt, blocked_until: count.blockedUntil })
    .where("subject", "=", subject)
    .execute();
}

async function deleteFailureCount(queryable: Queryable, subject: string): Promise<void> {
  await queryable.deleteFrom("login_failures").where("subject", "=", subject).execute();
}

/** Removes counts that no longer matter to anybody. */
async function deleteOldFailureCounts(queryable: Queryable, lastFailureBefore: number): Promise<void> {
  await queryable.deleteFrom("login_failures").where("last_failure_at", "<", lastFailureBefore).execute();
}
