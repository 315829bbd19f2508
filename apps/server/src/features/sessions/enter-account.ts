import type { SecondFactor } from "@one-api/contract/accounts/factor";
import type { SessionUser } from "@one-api/contract/accounts/user";
import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import type { SessionCookie } from "../../core/call-registry.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { fingerprint } from "../../core/secrets.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { beginLoginStep, secondFactorsOf } from "../factors/index.ts";
import { type LoginRow, presentSessionUser } from "../users/index.ts";
import { rememberDevice } from "./login-device.ts";
import { SESSION_MAX_SECONDS, deleteSession } from "./session.repository.ts";
import { startSession } from "./start-session.ts";

export interface EnteringBrowser {
  readonly cookie: SessionCookie;
  readonly stepCookie: SessionCookie;
  readonly deviceCookie: SessionCookie;
  readonly userAgent: string;
}

/**
 * Starts a session, which replaces the browser's previous one. Throws `account-disabled`.
 * With a second factor, begins a login step and throws `second-factor-needed` with the methods.
 */
export async function enterAccount(
  context: CallContext,
  user: LoginRow,
  browser: EnteringBrowser,
): Promise<SessionUser> {
  checkEnabled(user);
  const factors = await secondFactorsOf(context.database.db, user.id);
  if (factors.length === 0) return startAccountSession(context, user, { browser });
  await beginLoginStep(context, browser.stepCookie, { purpose: "second-step", userId: user.id });
  throw new AppError("second-factor-needed", "Show your second factor to go on.", {
    values: { ways: factors.join() },
  });
}

interface Entry {
  readonly browser: EnteringBrowser;
  readonly factor?: SecondFactor | "recovery";
  readonly beforehand?: (transaction: Queryable) => Promise<void>;
}

/** Starts a session after all proofs and ends the browser's previous one. Throws `account-disabled`. */
export async function startAccountSession(
  context: CallContext,
  user: LoginRow,
  { browser: { cookie, deviceCookie, userAgent }, factor, beforehand }: Entry,
): Promise<SessionUser> {
  checkEnabled(user);
  const { id, username, role, group } = user;
  const signedIn: CallContext = { ...context, actor: { id, username, role, group, via: "session" } };
  const sessionId = await inTransaction(context.database, async (transaction) => {
    await beforehand?.(transaction);
    if (cookie.value !== undefined) await deleteSession(transaction, fingerprint(cookie.value));
    const detail = factor === undefined ? {} : { factor };
    await recordAudit(transaction, signedIn, { action: "session.start", object: `user:${id}`, detail });
    const { address, clock } = context;
    return startSession(transaction, { userId: id, address, userAgent, now: nowSeconds(clock) });
  });
  cookie.set(sessionId, SESSION_MAX_SECONDS);
  // The mark protects logins by password only.
  if (user.password_hash !== "") rememberDevice(context, deviceCookie, user);
  return presentSessionUser(user);
}

function checkEnabled(user: LoginRow): void {
  if (user.status !== USER_STATUS.enabled)
    throw new AppError("account-disabled", "This account is disabled. Ask an administrator to enable it.");
}
