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

/** A count says nothing any more after a day; twice that, as the clocks of servers differ. */
const FORGET_AFTER_SECONDS = 48 * 3600;
/**
 * So many counts stay at the most, 90 MB with names of 60 letters, as anybody can have one made for each name that nobody has. To have those of somebody else
 * forgotten by that takes all logins of an hour and a half (see `countLogin`), for five free guesses: no more than the longest wait allows.
 */
const MOST_COUNTS = 500_000;
/** One statement removes so many: nobody waits long for it. */
const STEP = 5_000;

/** Who tries to log in, and from where. */
export interface LoginAttempt {
  /** What was typed: a username or an e-mail address, of somebody or of nobody. */
  readonly name: string;
  /** The account's username; for an unknown one what was typed, so that it is throttled alike. */
  readonly account: string;
  readonly address: string;
  /** The id of the browser, where the account knows it. */
  readonly device: string | undefined;
  /** Unix time in seconds. */
  readonly now: number;
}

/**
 * Counts the attempt as failed before the password is looked at, so that many guesses at once count in full; `forgiveAttempt` takes it
 * back. Throws `login-throttled` when the name or the network has to wait, and `too-many-requests` when too many log in together, which
 * counts for nobody. Kept in the database: a restart forgets nothing.
 *
 * Returns false when the account has to wait for what was tried with another of its names. The password must not be looked at then, and the
 * answer be that to a wrong one: a wait would tell that both names are of one account.
 *
 * A browser that the account knows has one count, its own: what others do to the name, or from its network, holds it up no more than its
 * failures hold up others.
 */
export async function countAttempt(database: OpenDatabase, attempt: LoginAttempt): Promise<boolean> {
  const { now, device } = attempt;
  return inTransaction(database, async (transaction) => {
    if (device !== undefined) return countOfDevice(transaction, { ...attempt, device });
    const [nameSubject, accountSubject, networkSubject] = subjectsOf(attempt);
    const ofName = await holdFailureCount(transaction, nameSubject);
    const ofAccount = await holdFailureCount(transaction, accountSubject);
    const ofNetwork = await holdFailureCount(transaction, networkSubject);
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
  const ofDevice = await holdFailureCount(transaction, deviceOf(device));
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

/** Whether there were so many failures, of what was typed or from there, or of a known browser, that a person has to show that it is one. Counts nothing. */
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
 * The password was right: the account starts afresh by all its names, the network gets its try back. A known browser was held up by none of
 * these, and gives those who guess from elsewhere no new tries: its own count starts afresh.
 */
export async function forgiveAttempt(
  database: OpenDatabase,
  { address, device }: LoginAttempt,
  account: AccountNames,
): Promise<void> {
  if (device !== undefined) return deleteFailureCount(database.db, deviceOf(device));
  await inTransaction(database, async (transaction) => {
    await forgiveAccount(transaction, account);
    const ofNetwork = await holdFailureCount(transaction, networkOf(address));
    await saveFailureCount(transaction, networkOf(address), withoutOneFailure(ofNetwork));
  });
}

/** Removes counts that no longer matter to anybody, and the oldest of too many. Several servers may do it at once. */
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
      // Who fails again just now is counted on.
      .where("last_failure_at", "<=", last)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return;
  }
}

/** What somebody may type for one account. */
interface AccountNames {
  readonly username: string;
  /** Empty for none. */
  readonly email: string;
}

/** Forgets the failed logins of an account, in the transaction of what makes the guesses until then worthless. */
export async function forgiveAccount(transaction: Queryable, { username, email }: AccountNames): Promise<void> {
  // In the order in which attempts hold them, so that neither waits for the other for ever.
  const subjects = [...[username, email].map(nameOf).toSorted(), accountOf(username)];
  for (const subject of subjects) await deleteFailureCount(transaction, subject);
}

/** In the order in which they are held. */
function subjectsOf({ name, account, address }: LoginAttempt) {
  return [nameOf(name), accountOf(account), networkOf(address)] as const;
}

/** Addresses are found in any case, usernames as they are written: who has `Mia` must not have the failures of `mia` forgotten. */
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
