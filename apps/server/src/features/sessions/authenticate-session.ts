import type { Caller } from "../../core/actor.ts";
import { type Clock, nowSeconds } from "../../platform/clock.ts";
import { fingerprint } from "../../core/secrets.ts";
import type { Queryable } from "../../core/transaction.ts";
import { SESSION_TOUCH_SECONDS, findSession, sessionLives, touchSession } from "./session.repository.ts";

/** The session's user. Undefined if the session has ended or the user is not enabled. */
export async function authenticateSession(
  queryable: Queryable,
  clock: Clock,
  sessionId: string,
): Promise<Caller | undefined> {
  const session = await findSession(queryable, fingerprint(sessionId));
  const now = nowSeconds(clock);
  if (session === undefined || !sessionLives(session, now)) return undefined;
  if (now - session.last_seen_at >= SESSION_TOUCH_SECONDS) await touchSession(queryable, session.id_hash, now);
  const { user_id: id, username, role, group } = session;
  return { actor: { id, username, role, group, via: "session" }, isProtected: session.is_protected === 1 };
}
