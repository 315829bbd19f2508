import type { Session } from "@one-api/contract/accounts/session";
import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import type { SessionCookie } from "../../core/call-registry.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { fingerprint } from "../../core/secrets.ts";
import { inTransaction } from "../../core/transaction.ts";
import { endSessions } from "./end-sessions.ts";
import { deleteSessionOfUser, listSessionsOfUser, sessionLives } from "./session.repository.ts";

const NAME_LENGTH = 32;

export async function listSessions(context: CallContext, cookie: SessionCookie): Promise<Session[]> {
  const { id } = requireActor(context);
  const now = nowSeconds(context.clock);
  const rows = await listSessionsOfUser(context.database.db, id);
  const own = cookie.value === undefined ? "" : fingerprint(cookie.value);
  return rows
    .filter((row) => sessionLives(row, now))
    .map(({ id_hash, ...row }) => ({ ...row, id: id_hash.slice(0, NAME_LENGTH), is_current: id_hash === own }));
}

/** Throws `session-not-found`. */
export async function endSession(context: CallContext, sessionName: string): Promise<void> {
  const { id } = requireActor(context);
  await inTransaction(context.database, async (transaction) => {
    const rows = await listSessionsOfUser(transaction, id);
    const row = rows.find(({ id_hash }) => id_hash.slice(0, NAME_LENGTH) === sessionName);
    if (row === undefined || !(await deleteSessionOfUser(transaction, id, row.id_hash)))
      throw new AppError("session-not-found", "This session has ended already.");
    const detail = { address: row.address, started: row.created_at };
    await recordAudit(transaction, context, { action: "session.end", object: `user:${id}`, detail });
  });
}

/** Ends all sessions including the current one, as a stolen cookie belongs to the same session. */
export async function endAllSessions(context: CallContext, cookie: SessionCookie): Promise<void> {
  const { id } = requireActor(context);
  await inTransaction(context.database, async (transaction) => {
    await endSessions(transaction, id, undefined);
    await recordAudit(transaction, context, { action: "session.end-all", object: `user:${id}` });
  });
  cookie.clear();
}
