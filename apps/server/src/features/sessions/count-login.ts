import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../core/clock.ts";
import { countRequest } from "../verification/index.ts";

/** Logins of all accounts from all networks together: guesses from a thousand networks at once stay as slow as that. */
const LOGINS = { subject: "login", most: 50, windowSeconds: 1 } as const;

/** Counts one login, in the database for all servers. Throws `too-many-requests` beyond 50 a second. */
export function countLogin({ database, clock }: CallContext): Promise<void> {
  return countRequest(database, [LOGINS], nowSeconds(clock));
}
