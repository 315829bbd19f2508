import { AppError } from "../../core/app-error.ts";
import type { Queryable } from "../../core/transaction.ts";
import { isWithinLimit } from "../verification/index.ts";

/** Logins of all accounts from all networks together: guesses from a thousand networks at once stay as slow as that. */
const LOGINS = { subject: "login", most: 50, windowSeconds: 1 } as const;
/** Of those who have shown something already, apart, so that a flood of strangers keeps none of them out. */
const KNOWN_LOGINS = { subject: "login:known", most: 20, windowSeconds: 1 } as const;

/** Of one account from browsers that it knows, with right passwords too: it must not take the logins of all of them. */
const LOGINS_OF_ACCOUNT = { most: 20, windowSeconds: 60 } as const;

/**
 * Counts one login, in the database for all servers; `now` in Unix seconds. Throws `too-many-requests` beyond 50 a second, or 20 of browsers
 * that the account knows and of second steps. Only what no throttle of its own refuses may be counted: otherwise one flood from one network
 * would keep everybody out.
 */
export async function countLogin(queryable: Queryable, now: number, isKnown: boolean): Promise<void> {
  await countWithin(queryable, isKnown ? KNOWN_LOGINS : LOGINS, now);
}

/** Counts one login of the account from a browser that it knows. Throws `too-many-requests` beyond 20 a minute. */
export async function countLoginOfAccount(queryable: Queryable, now: number, account: string): Promise<void> {
  await countWithin(queryable, { ...LOGINS_OF_ACCOUNT, subject: `login:known:${account}` }, now);
}

async function countWithin(
  queryable: Queryable,
  limit: Parameters<typeof isWithinLimit>[1],
  now: number,
): Promise<void> {
  if (await isWithinLimit(queryable, limit, now)) return;
  const { windowSeconds: seconds } = limit;
  throw new AppError("too-many-requests", `Too many logins at this moment. Try again in ${seconds} s.`, {
    retryAfterSeconds: seconds,
    values: { seconds },
  });
}
