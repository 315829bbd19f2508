import { violatedConstraint } from "@one-api/database/database-errors";
import { AppError } from "../../core/app-error.ts";
import { actorIsRoot } from "../../core/actor.ts";
import { changesBetween, recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import type { SessionCookie } from "../../core/call-registry.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { randomText } from "../../core/secrets.ts";
import { inTransaction } from "../../core/transaction.ts";
import { removeFactors } from "../factors/index.ts";
import { endSessions } from "../sessions/index.ts";
import {
  changeAccount,
  closeAccount,
  findInviteCode,
  lockBoundAccount,
  rememberIdentities,
  setInviteCode,
  notifyOwner,
} from "../users/index.ts";
import { consumeEmailCode, tryEmailCode } from "../verification/index.ts";
import { checkEmailDomain, checkEmailIsFree, wrongEmailCode } from "./email.policy.ts";

const INVITE_CODE_LENGTH = 8;

/** The caller's invite code, created on first use. */
export async function getInviteCode(context: CallContext): Promise<string> {
  const { database } = context;
  const { id } = requireActor(context);
  const existing = await findInviteCode(database.db, id);
  if (existing !== null) return existing;
  const make = () =>
    inTransaction(database, async (transaction) => {
      await setInviteCode(transaction, id, randomText(INVITE_CODE_LENGTH));
      await recordAudit(transaction, context, { action: "user.create-invite-code", object: `user:${id}` });
    });
  try {
    await make();
  } catch (error) {
    // The code exists already, so another one is tried.
    if (violatedConstraint(error) !== "unique") throw error;
    await make();
  }
  return (await findInviteCode(database.db, id)) ?? "";
}

/**
 * Binds an address and replaces the previous one. Throws `email-code-wrong`, `email-taken` and
 * `email-domain-refused`.
 */
export async function bindEmail(
  context: CallContext,
  options: OptionStore,
  { email, code }: { email: string; code: string },
): Promise<void> {
  const { id } = requireActor(context);
  const claim = { purpose: "address", email, code } as const;
  checkEmailDomain(options, email);
  if (!(await tryEmailCode(context, claim))) throw wrongEmailCode();
  await inTransaction(context.database, async (transaction) => {
    if (!(await consumeEmailCode(transaction, context, claim))) throw wrongEmailCode();
    await checkEmailIsFree(transaction, email);
    const before = await lockBoundAccount(transaction, id);
    await rememberIdentities(transaction, context, { email: before?.email ?? "" });
    await rememberIdentities(transaction, context, { email });
    await changeAccount(transaction, id, { email });
    const notice = { userId: id, change: "email", subject: email, formerEmail: before?.email } as const;
    await notifyOwner(transaction, context, options, notice);
    const detail = changesBetween({ email: before?.email }, { email });
    await recordAudit(transaction, context, { action: "user.bind-email", object: `user:${id}`, detail });
  });
  context.changes.announce("users");
}

/** Deletes the caller's account and ends its sessions and tokens. Throws `root-stays` for the super administrator. */
export async function deleteSelf(context: CallContext, cookie: SessionCookie): Promise<void> {
  const actor = requireActor(context);
  if (actorIsRoot(actor)) throw new AppError("root-stays", "The super administrator's account cannot be deleted.");
  await inTransaction(context.database, async (transaction) => {
    await closeAccount(transaction, context, actor.id, { endSessions, removeFactors });
    const detail = { username: actor.username };
    await recordAudit(transaction, context, { action: "user.delete-self", object: `user:${actor.id}`, detail });
  });
  context.changes.announce("users");
  context.changes.announce("tokens");
  cookie.clear();
}
