import { AppError } from "../../core/app-error.ts";
import type { Queryable } from "../../core/transaction.ts";
import { isWithinLimit } from "../verification/index.ts";

/** Logins of all accounts from all networks together: guesses from a thousand networks at once stay as slow as that. */
const LOGINS = { subject: "login", most: 50, windowSeconds: 1 } as const;

/**
 * Counts one login, in the database for all servers; `now` in Unix seconds. Throws `too-many-requests` beyond 50 a second. Only what no throttle
 * of its own refuses may be counted: otherwise one flood from one network would keep everybody out.
 */
export async function countLogin(queryable: Queryable, now: number): Promise<void> {
  if (await isWithinLimit(queryable, LOGINS, now)) return;
  const { windowSeconds: seconds } = LOGINS;
  throw new AppError("too-many-requests", `Too many logins at this moment. Try again in ${seconds} s.`, {
    retryAfterSeconds: seconds,
    values: { seconds },
  });
}
