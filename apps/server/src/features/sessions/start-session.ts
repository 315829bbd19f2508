import { randomBytes } from "node:crypto";
import { fingerprint } from "../../core/secrets.ts";
import type { Queryable } from "../../core/transaction.ts";
import {
  SESSION_IDLE_SECONDS,
  SESSION_MAX_SECONDS,
  deleteEndedSessions,
  deleteOldestSessions,
  insertSession,
} from "./session.repository.ts";

const ID_BYTES = 32;
const MAX_USER_AGENT_LENGTH = 256;

/**
 * A script that logs in every minute stays below it within the idle timeout. Each login scans a user's
 * sessions, so they are limited.
 */
const MOST_SESSIONS_OF_A_USER = 1_000;

interface NewSession {
  readonly userId: number;
  readonly address: string;
  readonly userAgent: string;
  readonly now: number;
}

/**
 * Starts a session and returns its id for the cookie; only the hash is stored. Beyond 1,000 sessions the
 * least recently used one ends.
 */
export async function startSession(
  queryable: Queryable,
  { userId, address, userAgent, now }: NewSession,
): Promise<string> {
  const id = randomBytes(ID_BYTES).toString("base64url");
  await deleteEndedSessions(queryable, now, now - SESSION_IDLE_SECONDS);
  await deleteOldestSessions(queryable, userId, MOST_SESSIONS_OF_A_USER - 1);
  await insertSession(queryable, {
    id_hash: fingerprint(id),
    user_id: userId,
    created_at: now,
    last_seen_at: now,
    expires_at: now + SESSION_MAX_SECONDS,
    address,
    user_agent: userAgent.slice(0, MAX_USER_AGENT_LENGTH),
  });
  return id;
}
