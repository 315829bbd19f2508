import { fingerprint } from "../../core/secrets.ts";
import type { Queryable } from "../../core/transaction.ts";
import { deleteSessionsOfUser } from "./session.repository.ts";

/** Ends the user's sessions but the one with the given id; without one, all of them. */
export async function endSessions(
  queryable: Queryable,
  userId: number,
  keptSessionId: string | undefined,
): Promise<void> {
  await deleteSessionsOfUser(queryable, userId, keptSessionId === undefined ? "" : fingerprint(keptSessionId));
}
