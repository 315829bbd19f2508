import type { SessionUser } from "@one-api/contract/accounts/user";
import { violatedConstraint } from "@one-api/database/database-errors";
import { randomInt } from "node:crypto";
import { AppError } from "../../core/app-error.ts";
import { changesBetween, recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { inTransaction } from "../../core/transaction.ts";
import { type AccountDeps, createAccount } from "../registration/index.ts";
import { enterAccount, type EnteringBrowser } from "../sessions/index.ts";
import {
  changeAccount,
  findUserByBoundId,
  lockBoundAccount,
  type LoginRow,
  nameOfProvider,
  rememberIdentities,
  notifyOwner,
} from "../users/index.ts";
import type { ProviderProfile } from "./provider-profiles.ts";

const MOST_NUMBER = 1_000_000_000;
const NAME_TRIES = 5;

interface ProviderLogin {
  readonly browser: EnteringBrowser;
  readonly invitation: string;
}

/**
 * Logs in to the account that the profile is bound to, or signs up. Equal e-mail addresses do not link
 * accounts: they are not verified here.
 * Throws `registration-off`, `account-disabled` and the refusals of invitations.
 */
export async function enterWithProfile(
  context: CallContext,
  deps: AccountDeps,
  profile: ProviderProfile,
  { browser, invitation }: ProviderLogin,
): Promise<SessionUser> {
  const { db } = context.database;
  const known = await findUserByBoundId(db, profile.column, profile.id);
  return enterAccount(context, known ?? (await signUp(context, deps, profile, invitation)), browser);
}

async function signUp(
  context: CallContext,
  deps: AccountDeps,
  { maySignUp = true, ...profile }: ProviderProfile,
  invitation: string,
): Promise<LoginRow> {
  if (!maySignUp || !deps.options.flag("RegisterEnabled"))
    throw new AppError("registration-off", "Registration is turned off. Ask an administrator for an account.");
  for (let attempt = 1; ; attempt += 1) {
    const username = `${profile.binding}_${randomInt(MOST_NUMBER)}`;
    const account = { username, display_name: profile.displayName, [profile.column]: profile.id, invitation };
    const find = () => findUserByBoundId(context.database.db, profile.column, profile.id);
    try {
      await createAccount(context, deps, account);
    } catch (error) {
      // The same user may have signed up in another window meanwhile, with the same invitation.
      const user = await find();
      if (user !== undefined) return user;
      const isTaken = error instanceof AppError && error.code === "user-username-taken";
      if (!isTaken || attempt === NAME_TRIES) throw error;
    }
    const user = await find();
    if (user !== undefined) return user;
  }
}

/**
 * Binds the profile to the caller's account and replaces the previous one. Throws `oauth-taken` if another
 * account has it.
 */
export async function bindProfile(
  context: CallContext,
  options: OptionStore,
  { column, id, binding }: ProviderProfile,
): Promise<void> {
  const actor = requireActor(context);
  try {
    await inTransaction(context.database, async (transaction) => {
      const before = await lockBoundAccount(transaction, actor.id);
      await changeAccount(transaction, actor.id, { [column]: id });
      await rememberIdentities(transaction, context, before ?? {});
      await rememberIdentities(transaction, context, { [column]: id });
      const subject = nameOfProvider(options, binding);
      await notifyOwner(transaction, context, options, { userId: actor.id, change: "bound", subject });
      const detail = changesBetween({ [column]: before?.[column] }, { [column]: id });
      await recordAudit(transaction, context, { action: "user.bind", object: `user:${actor.id}`, detail });
    });
  } catch (error) {
    if (violatedConstraint(error) !== "unique") throw error;
    throw new AppError("oauth-taken", "This account is bound to another user already.");
  }
  context.changes.announce("users");
}
