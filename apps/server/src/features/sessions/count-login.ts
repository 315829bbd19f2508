import { AppError } from "../../core/app-error.ts";
import type { Queryable } from "../../core/transaction.ts";
import { isWithinLimit } from "../verification/index.ts";

/** Limit of logins by all accounts and networks, which slows distributed guessing. */
const LOGINS = { subject: "login", most: 50, windowSeconds: 1 } as const;
/** Separate limit for known browsers and second steps, so that a flood of other logins does not lock them out. */
const KNOWN_LOGINS = { subject: "login:known", most: 20, windowSeconds: 1 } as const;

/** Limit of one account from known browsers, also with right passwords, so that it cannot use up the shared limit. */
const LOGINS_OF_ACCOUNT = { most: 20, windowSeconds: 60 } as const;

/** Throws `too-many-requests` beyond 50 logins a second, or 20 of known browsers. Call it after the throttles of account and network, so that a flood cannot lock out everybody. */
export async function countLogin(queryable: Queryable, now: number, isKnown: boolean): Promise<void> {
  await countWithin(queryable, isKnown ? KNOWN_LOGINS : LOGINS, now);
}

/** Counts a login of the account from a known browser. Throws `too-many-requests` beyond 20 a minute. */
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
