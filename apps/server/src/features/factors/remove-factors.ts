import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import {
  checkMayManage,
  type EndSessions,
  hasSignInMethod,
  lockBoundAccount,
  lockUser,
  lastSignInMethod,
  notifyOwner,
  userNotFound,
} from "../users/index.ts";
import { endLoginStepsOfUser } from "./login-step.ts";
import { deleteFactors, deletePasskey, deleteTotp, replaceRecoveryCodes } from "./factor.repository.ts";
import { type Evidence, type ProofDeps, proveOwner } from "./prove-owner.ts";
import { secondFactorsOf } from "./second-factors.ts";
import { makeRecoveryCodes } from "./verify-code.ts";

/** Throws `totp-not-begun` and the refusals of the proof. */
export async function removeTotp(context: CallContext, evidence: Evidence, deps: ProofDeps): Promise<void> {
  const { id } = requireActor(context);
  await proveOwner(context, evidence, deps);
  await inTransaction(context.database, async (transaction) => {
    if (!(await deleteTotp(transaction, id)))
      throw new AppError("totp-not-begun", "There is no authenticator app to remove.");
    await forgetUselessCodes(transaction, id);
    await notifyOwner(transaction, context, deps.options, { userId: id, change: "totp-removed" });
    await recordAudit(transaction, context, { action: "factor.remove-totp", object: `user:${id}` });
  });
  context.changes.announce("users");
}

/**
 * Removes one of the caller's passkeys, unless it is the last sign-in method.
 * Throws `passkey-not-found`, `last-way-in` and the refusals of the proof.
 */
export async function removePasskey(
  context: CallContext,
  passkeyId: number,
  evidence: Evidence,
  deps: ProofDeps,
): Promise<void> {
  const { id } = requireActor(context);
  await proveOwner(context, evidence, deps);
  await inTransaction(context.database, async (transaction) => {
    // The lock prevents a concurrent removal of the other sign-in method.
    const account = await lockBoundAccount(transaction, id);
    const name = await deletePasskey(transaction, id, passkeyId);
    if (name === undefined) throw new AppError("passkey-not-found", "There is no such passkey, or not any more.");
    const hasPasskeys = (await secondFactorsOf(transaction, id)).includes("passkey");
    if (!hasPasskeys && account !== undefined && !hasSignInMethod(account, deps.options)) throw lastSignInMethod();
    await forgetUselessCodes(transaction, id);
    await notifyOwner(transaction, context, deps.options, { userId: id, change: "passkey-removed", subject: name });
    await recordAudit(transaction, context, {
      action: "factor.remove-passkey",
      object: `user:${id}`,
      detail: { name },
    });
  });
  context.changes.announce("users");
}

/**
 * Replaces the caller's recovery codes and returns the new ones. Throws `totp-not-begun` and the refusals of
 * the proof.
 */
export async function createRecoveryCodes(
  context: CallContext,
  evidence: Evidence,
  deps: ProofDeps,
): Promise<string[]> {
  const { id } = requireActor(context);
  await proveOwner(context, evidence, deps);
  if ((await secondFactorsOf(context.database.db, id)).length === 0)
    throw new AppError("totp-not-begun", "Recovery codes need a second factor. Set one up first.");
  return inTransaction(context.database, async (transaction) => {
    // Locked, so that a concurrent call's codes are replaced.
    await lockBoundAccount(transaction, id);
    await notifyOwner(transaction, context, deps.options, { userId: id, change: "recovery-codes" });
    await recordAudit(transaction, context, { action: "factor.create-recovery-codes", object: `user:${id}` });
    return makeRecoveryCodes(transaction, context, id);
  });
}

/**
 * Removes all second factors of a user with a role below the caller's, and ends the user's sessions.
 * Throws `user-not-found` and `user-not-below-you`.
 */
export async function resetFactors(
  context: CallContext,
  userId: number,
  { endSessions, options }: { readonly endSessions: EndSessions; readonly options: OptionStore },
): Promise<void> {
  const actor = requireActor(context);
  await inTransaction(context.database, async (transaction) => {
    const user = await lockUser(transaction, { id: userId });
    if (user === undefined) throw userNotFound();
    checkMayManage(actor, user);
    await removeFactors(transaction, userId);
    await endSessions(transaction, userId, undefined);
    await notifyOwner(transaction, context, options, { userId, change: "factors-reset" });
    const detail = { username: user.username };
    await recordAudit(transaction, context, { action: "factor.reset", object: `user:${userId}`, detail });
  });
  context.changes.announce("users");
}

/** Removes all second factors of the user and the login steps that wait for them. */
export async function removeFactors(queryable: Queryable, userId: number): Promise<void> {
  await deleteFactors(queryable, userId);
  await endLoginStepsOfUser(queryable, userId);
}

async function forgetUselessCodes(transaction: Queryable, userId: number): Promise<void> {
  if ((await secondFactorsOf(transaction, userId)).length === 0) await replaceRecoveryCodes(transaction, userId, []);
}
