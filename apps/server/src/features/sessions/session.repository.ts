import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import type { Tables } from "@one-api/database/tables";
import type { Selectable } from "kysely";
import { PROTECTED_ADMIN } from "../users/index.ts";
import type { Queryable } from "../../core/transaction.ts";

export type SessionRow = Pick<Selectable<Tables["sessions"]>, "id_hash" | "last_seen_at" | "expires_at"> &
  Pick<Selectable<Tables["users"]>, "username" | "role" | "group"> & {
    readonly user_id: number;
    readonly is_protected: 0 | 1;
  };

/** Undefined if the session has ended or its user is not enabled. One query, as every call runs it. */
export function findSession(queryable: Queryable, idHash: string): Promise<SessionRow | undefined> {
  return queryable
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .select([
      "sessions.id_hash",
      "sessions.last_seen_at",
      "sessions.expires_at",
      "sessions.user_id",
      "users.username",
      "users.role",
      "users.group",
      PROTECTED_ADMIN.as("is_protected"),
    ])
    .where("sessions.id_hash", "=", idHash)
    .where("users.status", "=", USER_STATUS.enabled)
    .executeTakeFirst();
}

export async function insertSession(queryable: Queryable, session: Selectable<Tables["sessions"]>): Promise<void> {
  await queryable.insertInto("sessions").values(session).execute();
}

export async function touchSession(queryable: Queryable, idHash: string, now: number): Promise<void> {
  await queryable.updateTable("sessions").set({ last_seen_at: now }).where("id_hash", "=", idHash).execute();
}

export async function deleteSession(queryable: Queryable, idHash: string): Promise<boolean> {
  const result = await queryable.deleteFrom("sessions").where("id_hash", "=", idHash).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

const LISTED_COLUMNS = ["id_hash", "created_at", "last_seen_at", "expires_at", "address", "user_agent"] as const;

const MOST_LISTED = 100;

/** The user's sessions, last used first, at most 100. Some may be expired. */
export function listSessionsOfUser(queryable: Queryable, userId: number) {
  return queryable
    .selectFrom("sessions")
    .select([...LISTED_COLUMNS])
    .where("user_id", "=", userId)
    .orderBy("last_seen_at", "desc")
    .orderBy("created_at", "desc")
    .limit(MOST_LISTED)
    .execute();
}

export async function deleteSessionOfUser(queryable: Queryable, userId: number, idHash: string): Promise<boolean> {
  const result = await queryable
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where("id_hash", "=", idHash)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function deleteSessionsOfUser(queryable: Queryable, userId: number, keptIdHash: string): Promise<void> {
  await queryable.deleteFrom("sessions").where("user_id", "=", userId).where("id_hash", "!=", keptIdHash).execute();
}

export async function deleteOldestSessions(queryable: Queryable, userId: number, most: number): Promise<void> {
  const remaining = queryable
    .selectFrom("sessions")
    .select("id_hash")
    .where("user_id", "=", userId)
    .orderBy("last_seen_at", "desc")
    .orderBy("created_at", "desc")
    .limit(most);
  await queryable.deleteFrom("sessions").where("user_id", "=", userId).where("id_hash", "not in", remaining).execute();
}

export async function deleteEndedSessions(queryable: Queryable, now: number, idleSince: number): Promise<void> {
  await queryable
    .deleteFrom("sessions")
    .where((where) => where.or([where("expires_at", "<=", now), where("last_seen_at", "<=", idleSince)]))
    .execute();
}

export const SESSION_IDLE_SECONDS = 12 * 3600;

export const SESSION_MAX_SECONDS = 7 * 24 * 3600;

export const SESSION_TOUCH_SECONDS = 60;

/** True while the session is valid. Times in Unix seconds. */
export function sessionLives(session: { last_seen_at: number; expires_at: number }, now: number): boolean {
  return now < session.expires_at && now < session.last_seen_at + SESSION_IDLE_SECONDS;
}
