import type { Caller } from "../../core/actor.ts";
import { type Clock, nowSeconds } from "../../platform/clock.ts";
import { fingerprint } from "../../core/secrets.ts";
import type { Queryable } from "../../core/transaction.ts";
import { changeUser, findUserByAccessToken } from "./user.repository.ts";

/** Resolution of the last use, so that not every call writes. */
const TOUCH_SECONDS = 60;

/** The user of a system access token. Undefined for an unknown token or a disabled user. */
export async function authenticateAccessToken(
  queryable: Queryable,
  clock: Clock,
  token: string,
): Promise<Caller | undefined> {
  const row = await findUserByAccessToken(queryable, fingerprint(token));
  if (row === undefined) return undefined;
  const { access_token_used_at: usedAt, is_protected, ...user } = row;
  const now = nowSeconds(clock);
  if (Math.abs(now - usedAt) >= TOUCH_SECONDS) await changeUser(queryable, user.id, { access_token_used_at: now });
  return { actor: { ...user, via: "access-token" }, isProtected: is_protected === 1 };
}
