import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { type EndSessions, lockBoundAccount, notifyOwner } from "../users/index.ts";
import { countRecoveryCodes, findTotp, storeUnconfirmedTotp } from "./factor.repository.ts";
import { type Evidence, type ProofDeps, proveOwner, wrongCode } from "./prove-owner.ts";
import { secondFactorsOf } from "./second-factors.ts";
import { makeRecoveryCodes, newTotpKey, totpOf, takeTotpCode } from "./verify-code.ts";

/**
 * Creates an inactive key for an authenticator app, which a code must confirm. Returns it as URI and as text.
 * Throws `totp-exists` and the refusals of the proof.
 */
export async function beginTotp(
  context: CallContext,
  evidence: Evidence,
  deps: ProofDeps,
): Promise<{ uri: string; manual_entry: string }> {
  const { id, username } = requireActor(context);
  await proveOwner(context, evidence, deps);
  const key = newTotpKey();
  await inTransaction(context.database, async (transaction) => {
    if (!(await storeUnconfirmedTotp(transaction, id, context.secrets.seal("totp-key", key))))
      throw new AppError("totp-exists", "There is an authenticator app already. Remove it first.");
    await recordAudit(transaction, context, { action: "factor.begin-totp", object: `user:${id}` });
  });
  // A colon would split the label (Key URI Format of Google Authenticator).
  const names = { issuer: deps.options.text("SystemName").replaceAll(":", " "), label: username.replaceAll(":", " ") };
  return { uri: totpOf(key, names).toString(), manual_entry: key };
}

interface ConfirmDeps {
  readonly options: OptionStore;
  readonly endSessions: EndSessions;
  readonly sessionId: string | undefined;
}

/**
 * Confirms the key with a code and ends all other sessions. Returns recovery codes if the account had none.
 * Throws `totp-not-begun`, `totp-exists`, `factor-code-wrong` and `too-many-requests`.
 */
export async function confirmTotp(
  context: CallContext,
  code: string,
  { options, endSessions, sessionId }: ConfirmDeps,
): Promise<string[]> {
  const { id } = requireActor(context);
  const { database, clock } = context;
  const totp = await findTotp(database.db, id);
  if (totp === undefined) throw new AppError("totp-not-begun", "Scan the code with the authenticator app first.");
  if (totp.confirmed_at > 0)
    throw new AppError("totp-exists", "There is an authenticator app already. Remove it first.");
  const isFirst = (await secondFactorsOf(database.db, id)).length === 0;
  const use = { totp, digits: code.replaceAll(/\s/g, ""), confirmedAt: nowSeconds(clock) };
  if (!(await takeTotpCode(context, id, use))) throw wrongCode();
  const codes = await inTransaction(database, async (transaction) => {
    await lockBoundAccount(transaction, id);
    if (isFirst) await endSessions(transaction, id, sessionId);
    await notifyOwner(transaction, context, options, { userId: id, change: "totp-added" });
    await recordAudit(transaction, context, { action: "factor.add-totp", object: `user:${id}` });
    return newCodesUnlessThere(transaction, context, id);
  });
  context.changes.announce("users");
  return codes;
}

/**
 * Creates recovery codes for an account without any, else returns none. The caller locks the account, as a
 * passkey may be added at the same time.
 */
export async function newCodesUnlessThere(
  transaction: Queryable,
  context: CallContext,
  userId: number,
): Promise<string[]> {
  if ((await countRecoveryCodes(transaction, userId)) > 0) return [];
  return makeRecoveryCodes(transaction, context, userId);
}
