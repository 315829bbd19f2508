import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { type EndSessions, holdBoundAccount, tellOwner } from "../users/index.ts";
import { countRecoveryCodes, findTotp, storeUnconfirmedTotp } from "./factor.repository.ts";
import { type Evidence, type ProofDeps, proveOwner, wrongCode } from "./prove-owner.ts";
import { secondFactorsOf } from "./second-factors.ts";
import { makeRecoveryCodes, newTotpKey, totpOf, takeTotpCode } from "./verify-code.ts";

/**
 * Makes a key for an authenticator app and returns it as the address that apps scan and as text. It counts for nothing until a code
 * confirms it. Throws `totp-exists` and the refusals of the proof.
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
  // A colon would part the name in two (Key URI Format of Google Authenticator).
  const names = { issuer: deps.options.text("SystemName").replaceAll(":", " "), label: username.replaceAll(":", " ") };
  return { uri: totpOf(key, names).toString(), manual_entry: key };
}

interface ConfirmDeps {
  readonly options: OptionStore;
  readonly endSessions: EndSessions;
  readonly sessionId: string | undefined;
}

/**
 * Confirms the key with a code of the app: from now on logins ask for one. Other sessions, which have never shown one, end. Returns the
 * recovery codes when the account had none. Throws `totp-not-begun`, `totp-exists`, `factor-code-wrong` and `too-many-requests`.
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
    await holdBoundAccount(transaction, id);
    if (isFirst) await endSessions(transaction, id, sessionId);
    await tellOwner(transaction, context, options, { userId: id, change: "totp-added" });
    await recordAudit(transaction, context, { action: "factor.add-totp", object: `user:${id}` });
    return newCodesUnlessThere(transaction, context, id);
  });
  context.changes.announce("users");
  return codes;
}

/** Recovery codes for an account that has none; an empty list where it has some. The account must be held: a passkey may be added at the same time. */
export async function newCodesUnlessThere(
  transaction: Queryable,
  context: CallContext,
  userId: number,
): Promise<string[]> {
  if ((await countRecoveryCodes(transaction, userId)) > 0) return [];
  return makeRecoveryCodes(transaction, context, userId);
}
