import { fingerprint } from "../../core/secrets.ts";
import type { Queryable } from "../../core/transaction.ts";
import { endLoginStepsOfUser } from "../factors/index.ts";
import { endResetLinks } from "../verification/index.ts";
import { deleteSessionsOfUser } from "./session.repository.ts";

/** Ends the user's sessions except the given one, pending login steps and password reset links. */
export async function endSessions(
  queryable: Queryable,
  userId: number,
  keptSessionId: string | undefined,
): Promise<void> {
  await endLoginStepsOfUser(queryable, userId);
  await endResetLinks(queryable, userId);
  await deleteSessionsOfUser(queryable, userId, keptSessionId === undefined ? "" : fingerprint(keptSessionId));
}
