import type { OpenDatabase } from "@one-api/database/open-database";
import { AppError } from "../../core/app-error.ts";
import { inTransaction } from "../../core/transaction.ts";
import {
  deleteFailureCount,
  deleteOldFailureCounts,
  holdFailureCount,
  saveFailureCount,
} from "./login-failure.repository.ts";
import {
  accountWaitSeconds,
  afterAccountFailure,
  afterNetworkFailure,
  networkWaitSeconds,
  withoutOneFailure,
} from "./login-throttle.policy.ts";
import { networkOfAddress } from "./network-of-address.ts";

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
 * back. Throws `too-many-requests` when the account or the network has to wait. Kept in the database: a restart forgets nothing.
 */
export async function countAttempt(database: OpenDatabase, { account, address, now }: LoginAttempt): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const [accountSubject, networkSubject] = [accountOf(account), networkOf(address)];
    const ofAccount = await holdFailureCount(transaction, accountSubject);
    const ofNetwork = await holdFailureCount(transaction, networkSubject);
    const waitSeconds = Math.max(accountWaitSeconds(ofAccount, now), networkWaitSeconds(ofNetwork, now));
    if (waitSeconds > 0) {
      throw new AppError("too-many-requests", `Too many failed logins. Try again in ${waitSeconds} s.`, {
        retryAfterSeconds: waitSeconds,
      });
    }
    await saveFailureCount(transaction, accountSubject, afterAccountFailure(ofAccount, now));
    await saveFailureCount(transaction, networkSubject, afterNetworkFailure(ofNetwork, now));
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
