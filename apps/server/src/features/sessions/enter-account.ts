import { type SessionUser, USER_STATUS } from "@one-api/contract/user";
import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import type { SessionCookie } from "../../core/call-registry.ts";
import { nowSeconds } from "../../core/clock.ts";
import { fingerprint } from "../../core/secrets.ts";
import { inTransaction } from "../../core/transaction.ts";
import { type LoginRow, presentSessionUser } from "../users/index.ts";
import { SESSION_MAX_SECONDS, deleteSession } from "./session.repository.ts";
import { startSession } from "./start-session.ts";

/** The browser that logs in. */
export interface EnteringBrowser {
  readonly cookie: SessionCookie;
  readonly userAgent: string;
}

/**
 * Starts a session of an account that has proven itself, by whatever way; the one before it in this browser ends. Throws
 * `account-disabled`.
 */
export async function enterAccount(
  context: CallContext,
  user: LoginRow,
  { cookie, userAgent }: EnteringBrowser,
): Promise<SessionUser> {
  if (user.status !== USER_STATUS.enabled)
    throw new AppError("account-disabled", "This account is disabled. Ask an administrator to enable it.");
  const { id, username, role, group } = user;
  const signedIn: CallContext = { ...context, actor: { id, username, role, group, via: "session" } };
  const sessionId = await inTransaction(context.database, async (transaction) => {
    if (cookie.value !== undefined) await deleteSession(transaction, fingerprint(cookie.value));
    await recordAudit(transaction, signedIn, { action: "session.start", object: `user:${id}` });
    const { address, clock } = context;
    return startSession(transaction, { userId: id, address, userAgent, now: nowSeconds(clock) });
  });
  cookie.set(sessionId, SESSION_MAX_SECONDS);
  return presentSessionUser(user);
}
