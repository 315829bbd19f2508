import { fingerprint } from "../../core/secrets.ts";
import type { Queryable } from "../../core/transaction.ts";
import { endStepsOfUser } from "../factors/index.ts";
import { endResetLinks } from "../verification/index.ts";
import { deleteSessionsOfUser } from "./session.repository.ts";

/** Ends the user's sessions but the one with the given id; without one, all of them. Logins that wait for a second factor and links that set a new password end too. */
export async function endSessions(
  queryable: Queryable,
  userId: number,
  keptSessionId: string | undefined,
): Promise<void> {
  await endStepsOfUser(queryable, userId);
  await endResetLinks(queryable, userId);
  await deleteSessionsOfUser(queryable, userId, keptSessionId === undefined ? "" : fingerprint(keptSessionId));
}
