import type { SecondFactor } from "@one-api/contract/accounts/factor";
import { type SessionUser, USER_STATUS } from "@one-api/contract/accounts/user";
import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import type { SessionCookie } from "../../core/call-registry.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { fingerprint } from "../../core/secrets.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { beginStep, secondFactorsOf } from "../factors/index.ts";
import { type LoginRow, presentSessionUser } from "../users/index.ts";
import { rememberDevice } from "./login-device.ts";
import { SESSION_MAX_SECONDS, deleteSession } from "./session.repository.ts";
import { startSession } from "./start-session.ts";

/** The browser that logs in. */
export interface EnteringBrowser {
  readonly cookie: SessionCookie;
  /** Of what is begun and has to be ended here. */
  readonly stepCookie: SessionCookie;
  /** Of the accounts that it has logged in to. */
  readonly deviceCookie: SessionCookie;
  readonly userAgent: string;
}

/**
 * Starts a session of an account whose password or bound account has been shown; the one before it in this browser ends. Where the account
 * has a second factor there is no session yet: the browser may try for ten minutes to show one. Throws `second-factor-needed`, with the
 * ways to do so, and `account-disabled`.
 */
export async function enterAccount(
  context: CallContext,
  user: LoginRow,
  browser: EnteringBrowser,
): Promise<SessionUser> {
  checkEnabled(user);
  const ways = await secondFactorsOf(context.database.db, user.id);
  if (ways.length === 0) return startAccountSession(context, user, { browser });
  await beginStep(context, browser.stepCookie, { purpose: "second-step", userId: user.id });
  throw new AppError("second-factor-needed", "Show your second factor to go on.", { values: { ways: ways.join() } });
}

interface Entry {
  readonly browser: EnteringBrowser;
  /** What was shown beside or instead of the password. */
  readonly factor?: SecondFactor | "recovery";
  /** Runs first in the same transaction. */
  readonly beforehand?: (transaction: Queryable) => Promise<void>;
}

/** Starts a session of an account that has proven itself in full; the one before it in this browser ends. Throws `account-disabled`. */
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
  // Where there is no password, nobody can be kept from logging in with it.
  if (user.password_hash !== "") rememberDevice(context, deviceCookie, user);
  return presentSessionUser(user);
}

function checkEnabled(user: LoginRow): void {
  if (user.status !== USER_STATUS.enabled)
    throw new AppError("account-disabled", "This account is disabled. Ask an administrator to enable it.");
}
