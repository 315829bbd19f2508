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
import { networkOfAddress } from "../../platform/network/network-of-address.ts";
import { countLogin, countLoginOfAccount } from "./count-login.ts";

/** Counts expire after a day; twice that, as servers' clocks differ. */
const FORGET_AFTER_SECONDS = 48 * 3600;
/**
 * Limit of 90 MB, as unknown names are counted too. To push out a count takes all logins of 1.5 hours (see
 * `countLogin`).
 */
const MOST_COUNTS = 500_000;
const STEP = 5_000;

export interface LoginAttempt {
  readonly name: string;
  /** Username of the account, or the typed name if unknown, so that both are throttled alike. */
  readonly account: string;
  readonly address: string;
  readonly device: string | undefined;
  readonly now: number;
}

/**
 * Counts the attempt as failed before the password is checked, so that concurrent guesses count;
 * `releaseAttempt` reverts it.
 * Returns false if attempts by another name of the account must wait: the caller answers as to a wrong
 * password. Throws `login-throttled` and `too-many-requests`.
 */
export async function countAttempt(database: OpenDatabase, attempt: LoginAttempt): Promise<boolean> {
  const { now, device } = attempt;
  return inTransaction(database, async (transaction) => {
    if (device !== undefined) return countOfDevice(transaction, { ...attempt, device });
    const [nameSubject, accountSubject, networkSubject] = subjectsOf(attempt);
    const ofName = await lockFailureCount(transaction, nameSubject);
    const ofAccount = await lockFailureCount(transaction, accountSubject);
    const ofNetwork = await lockFailureCount(transaction, networkSubject);
    const waitSeconds = Math.max(accountWaitSeconds(ofName, now), networkWaitSeconds(ofNetwork, now));
    refuseToWait(waitSeconds);
    await countLogin(transaction, now, false);
    const mayTry = accountWaitSeconds(ofAccount, now) === 0;
    await saveFailureCount(transaction, nameSubject, afterAccountFailure(ofName, now));
    await saveFailureCount(transaction, accountSubject, mayTry ? afterAccountFailure(ofAccount, now) : ofAccount);
    await saveFailureCount(transaction, networkSubject, afterNetworkFailure(ofNetwork, now));
    return mayTry;
  });
}

async function countOfDevice(
  transaction: Queryable,
  { device, account, now }: LoginAttempt & { readonly device: string },
): Promise<true> {
  const ofDevice = await lockFailureCount(transaction, deviceOf(device));
  refuseToWait(accountWaitSeconds(ofDevice, now));
  await countLoginOfAccount(transaction, now, account);
  await countLogin(transaction, now, true);
  await saveFailureCount(transaction, deviceOf(device), afterAccountFailure(ofDevice, now));
  return true;
}

function refuseToWait(seconds: number): void {
  if (seconds === 0) return;
  throw new AppError("login-throttled", `Too many failed logins. Try again in ${seconds} s.`, {
    retryAfterSeconds: seconds,
    values: { seconds },
  });
}

/** True if the failures of the name, the network or the known browser require the human check. Counts nothing. */
export async function needsHumanCheck({ db }: OpenDatabase, attempt: LoginAttempt): Promise<boolean> {
  const [nameSubject, , networkSubject] = subjectsOf(attempt);
  const { device } = attempt;
  const subjects = device === undefined ? [nameSubject, networkSubject] : [deviceOf(device)];
  const rows = await db
    .selectFrom("login_failures")
    .select(["subject", "failures", "last_failure_at", "blocked_until"])
    .where("subject", "in", subjects)
    .execute();
  return rows.some((row) => {
    const needsCheck = row.subject === networkSubject ? networkNeedsHumanCheck : accountNeedsHumanCheck;
    return needsCheck(countOf(row), attempt.now);
  });
}

/**
 * Resets the account's counts after a right password and removes the network's last failure. A known browser
 * resets only its own count.
 */
export async function releaseAttempt(
  database: OpenDatabase,
  { address, device }: LoginAttempt,
  account: AccountNames,
): Promise<void> {
  if (device !== undefined) return deleteFailureCount(database.db, deviceOf(device));
  await inTransaction(database, async (transaction) => {
    await clearFailures(transaction, account);
    const ofNetwork = await lockFailureCount(transaction, networkOf(address));
    await saveFailureCount(transaction, networkOf(address), withoutOneFailure(ofNetwork));
  });
}

/** Removes expired counts, and the oldest beyond `mostCounts`. Several servers may run it at once. */
export async function forgetFailureCounts({ db }: OpenDatabase, now: number, mostCounts = MOST_COUNTS): Promise<void> {
  const newestBeyond = await db
    .selectFrom("login_failures")
    .select("last_failure_at")
    .orderBy("last_failure_at", "desc")
    .limit(1)
    .offset(mostCounts)
    .executeTakeFirst();
  const last = Math.max(now - FORGET_AFTER_SECONDS, newestBeyond?.last_failure_at ?? 0);
  for (;;) {
    const oldest = db.selectFrom("login_failures").select("subject").where("last_failure_at", "<=", last).limit(STEP);
    const { numDeletedRows } = await db
      .deleteFrom("login_failures")
      .where("subject", "in", oldest)
      // Skips a count that was raised just now.
      .where("last_failure_at", "<=", last)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return;
  }
}

interface AccountNames {
  readonly username: string;
  readonly email: string;
}

/** Clears an account's failed logins in the transaction that makes earlier guesses worthless. */
export async function clearFailures(transaction: Queryable, { username, email }: AccountNames): Promise<void> {
  // The order in which attempts lock them, which prevents deadlocks.
  const subjects = [...[username, email].map(nameOf).toSorted(), accountOf(username)];
  for (const subject of subjects) await deleteFailureCount(transaction, subject);
}

function subjectsOf({ name, account, address }: LoginAttempt) {
  return [nameOf(name), accountOf(account), networkOf(address)] as const;
}

/** E-mail addresses are case-insensitive. Usernames are not: a login of `Mia` must not clear the failures of `mia`. */
function nameOf(typed: string): string {
  return `name:${typed.includes("@") ? typed.toLowerCase() : typed}`;
}

function accountOf(username: string): string {
  return `account:${username}`;
}

function networkOf(address: string): string {
  return `network:${networkOfAddress(address)}`;
}

function deviceOf(id: string): string {
  return `device:${id}`;
}

/** Locks the subject's count until the transaction ends, so that concurrent guesses are counted one by one. */
async function lockFailureCount(queryable: Queryable, subject: string): Promise<FailureCount> {
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
