import { USER_STATUS } from "@one-api/contract/accounts/user";
import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { randomText } from "../../core/secrets.ts";
import { inTransaction } from "../../core/transaction.ts";
import { endSessions, forgiveAccount } from "../sessions/index.ts";
import { changeAccount, findUsersByEmail, type LoginRow, type PasswordHasher, tellOwner } from "../users/index.ts";
import { consumeEmailCode, tryEmailCode } from "../verification/index.ts";

const NEW_PASSWORD_LENGTH = 16;

/** Whether a mail may reset the account's password. Root alone sets where mails go and where their links lead. */
export function mayResetByMail({ status }: Pick<LoginRow, "status">): boolean {
  return status === USER_STATUS.enabled;
}

interface ResetDeps {
  readonly options: OptionStore;
  readonly hasher: PasswordHasher;
}

/**
 * Sets a new random password and returns it. The token of the mail works once; every session and the system access token of the account
 * end, since whoever had the account may have them. Throws `reset-link-wrong` and `login-by-password-off`.
 */
export async function resetPassword(
  context: CallContext,
  { email, token }: { email: string; token: string },
  { options, hasher }: ResetDeps,
): Promise<string> {
  if (!options.flag("PasswordLoginEnabled"))
    throw new AppError("login-by-password-off", "Login by password is turned off. Use another way to log in.");
  const claim = { purpose: "password-reset", email, code: token } as const;
  if (!(await tryEmailCode(context, claim))) throw wrongLink();
  const password = randomText(NEW_PASSWORD_LENGTH);
  const passwordHash = await hasher.hash(password);
  await inTransaction(context.database, async (transaction) => {
    if (!(await consumeEmailCode(transaction, context, claim))) throw wrongLink();
    const [user, another] = await findUsersByEmail(transaction, email);
    if (user === undefined || another !== undefined) throw wrongLink();
    if (!mayResetByMail(user)) throw wrongLink();
    const changes = { password_hash: passwordHash, password_is_default: 0, access_token_hash: null } as const;
    await changeAccount(transaction, user.id, changes);
    await endSessions(transaction, user.id, undefined);
    await forgiveAccount(transaction, user);
    await tellOwner(transaction, context, options, { userId: user.id, change: "password" });
    await recordAudit(transaction, context, { action: "user.reset-password", object: `user:${user.id}` });
  });
  context.changes.announce("users");
  return password;
}

function wrongLink(): AppError {
  return new AppError("reset-link-wrong", "This link is wrong, was used or has expired. Ask for a new mail.");
}
