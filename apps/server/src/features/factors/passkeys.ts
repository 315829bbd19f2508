import { type NewPasskey, PASSKEY_LIMITS, type PasskeyQuestion } from "@one-api/contract/accounts/factor";
import { violatedConstraint } from "@one-api/database/database-errors";
import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import type { SessionCookie } from "../../core/call-registry.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { inTransaction } from "../../core/transaction.ts";
import { type EndSessions, findAccount, lockBoundAccount, notifyOwner } from "../users/index.ts";
import { renewChallenge, beginLoginStep, endLoginStep, tryLoginStep } from "./login-step.ts";
import { insertPasskey, listPasskeys, type PasskeyRow, updatePasskeyName } from "./factor.repository.ts";
import { newChallenge, readNewPasskey, relyingPartyOf } from "./passkey-ceremony.ts";
import { type Evidence, type ProofDeps, proveOwner, loginStepOver } from "./prove-owner.ts";
import { secondFactorsOf } from "./second-factors.ts";
import { newCodesUnlessThere } from "./set-up-totp.ts";

interface PasskeyDeps {
  readonly options: OptionStore;
  readonly host: string;
  readonly stepCookie: SessionCookie;
}

/**
 * Requests a passkey for a login: any passkey, or in a second step one of that account.
 * Throws `login-step-over` and `server-address-missing`.
 */
export async function askLoginPasskey(
  context: CallContext,
  isSecondStep: boolean,
  { options, host, stepCookie }: PasskeyDeps,
): Promise<PasskeyQuestion> {
  const { domain } = relyingPartyOf(options, host);
  const challenge = newChallenge();
  if (!isSecondStep) {
    await beginLoginStep(context, stepCookie, { purpose: "passkey-login", userId: 0, challenge });
    return { challenge, domain, allowed: [] };
  }
  const userId = await renewChallenge(context, stepCookie, challenge);
  if (userId === undefined) throw loginStepOver();
  return { challenge, domain, allowed: await idsOfPasskeys(context, userId) };
}

/** Requests one of the caller's passkeys to prove a change of factors. Throws `server-address-missing`. */
export async function askProofPasskey(
  context: CallContext,
  { options, host, stepCookie }: PasskeyDeps,
): Promise<PasskeyQuestion> {
  const { id } = requireActor(context);
  const { domain } = relyingPartyOf(options, host);
  const challenge = newChallenge();
  await beginLoginStep(context, stepCookie, { purpose: "proof", userId: id, challenge });
  return { challenge, domain, allowed: await idsOfPasskeys(context, id) };
}

/** Throws `passkeys-full`, `server-address-missing` and the refusals of the proof. */
export async function beginPasskey(context: CallContext, evidence: Evidence, deps: ProofDeps) {
  const { id, username } = requireActor(context);
  const { domain } = relyingPartyOf(deps.options, deps.host);
  const known = await idsOfPasskeys(context, id);
  if (known.length >= PASSKEY_LIMITS.perAccount) throw passkeysFull();
  await proveOwner(context, evidence, deps);
  const challenge = newChallenge();
  await beginLoginStep(context, deps.stepCookie, { purpose: "new-passkey", userId: id, challenge });
  const account = await findAccount(context.database.db, id);
  return {
    challenge,
    domain,
    system_name: deps.options.text("SystemName"),
    user_handle: Buffer.from(`user:${id}`).toString("base64url"),
    username,
    display_name: account?.display_name || username,
    known,
  };
}

interface AddDeps extends PasskeyDeps {
  readonly endSessions: EndSessions;
  /** Current session. The first factor ends all other sessions, as they have shown none. */
  readonly sessionId: string | undefined;
}

/**
 * Stores the new passkey. Returns it with new recovery codes if the account had none.
 * Throws `login-step-over`, `passkey-refused`, `passkey-exists` and `passkeys-full`.
 */
export async function addPasskey(
  context: CallContext,
  { name, ...made }: NewPasskey,
  { options, host, stepCookie, endSessions, sessionId }: AddDeps,
): Promise<{ passkey: PasskeyRow; recovery_codes: string[] }> {
  const { id } = requireActor(context);
  const step = await tryLoginStep(context, stepCookie, ["new-passkey"]);
  if (step === undefined || step.userId !== id) throw loginStepOver();
  const party = relyingPartyOf(options, host);
  const credential = await readNewPasskey(made, { challenge: step.challenge, party });
  try {
    return await inTransaction(context.database, async (transaction) => {
      await lockBoundAccount(transaction, id);
      if (!(await endLoginStep(transaction, stepCookie))) throw loginStepOver();
      const isFirst = (await secondFactorsOf(transaction, id)).length === 0;
      const row = { ...credential, user_id: id, name, created_at: nowSeconds(context.clock) };
      const passkey = await insertPasskey(transaction, row);
      if ((await listPasskeys(transaction, id)).length > PASSKEY_LIMITS.perAccount) throw passkeysFull();
      if (isFirst) await endSessions(transaction, id, sessionId);
      await notifyOwner(transaction, context, options, { userId: id, change: "passkey-added", subject: name });
      await recordAudit(transaction, context, { action: "factor.add-passkey", object: `user:${id}`, detail: { name } });
      return { passkey, recovery_codes: await newCodesUnlessThere(transaction, context, id) };
    });
  } catch (error) {
    if (violatedConstraint(error) !== "unique") throw error;
    throw new AppError("passkey-exists", "This passkey is here already.");
  } finally {
    context.changes.announce("users");
  }
}

/** Throws `passkey-not-found`. */
export async function renamePasskey(context: CallContext, passkeyId: number, name: string): Promise<void> {
  const { id } = requireActor(context);
  await inTransaction(context.database, async (transaction) => {
    if (!(await updatePasskeyName(transaction, id, { id: passkeyId, name })))
      throw new AppError("passkey-not-found", "There is no such passkey, or not any more.");
    await recordAudit(transaction, context, {
      action: "factor.rename-passkey",
      object: `user:${id}`,
      detail: { passkey: passkeyId, name },
    });
  });
}

async function idsOfPasskeys({ database }: CallContext, userId: number): Promise<string[]> {
  const passkeys = await listPasskeys(database.db, userId);
  return passkeys.map((passkey) => passkey.credential_id);
}

function passkeysFull(): AppError {
  const limit = PASSKEY_LIMITS.perAccount;
  return new AppError("passkeys-full", `An account has at most ${limit} passkeys. Remove one first.`, {
    values: { limit },
  });
}
