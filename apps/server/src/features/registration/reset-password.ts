import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { randomText } from "../../core/secrets.ts";
import { inTransaction } from "../../core/transaction.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { endSessions, clearFailures } from "../sessions/index.ts";
import {
  changeAccount,
  findUsersByEmail,
  type LoginRow,
  type PasswordHasher,
  notifyOwner,
  revokeManagementKeysOf,
} from "../users/index.ts";
import { consumeEmailCode, tryEmailCode } from "../verification/index.ts";

const NEW_PASSWORD_LENGTH = 16;

/** True if a mail may reset the account's password. Only root can change where mails and their links lead. */
export function mayResetByMail({ status }: Pick<LoginRow, "status">): boolean {
  return status === USER_STATUS.enabled;
}

interface ResetDeps {
  readonly options: OptionStore;
  readonly hasher: PasswordHasher;
}

/**
 * Sets and returns a new random password. The mail's token is valid once. Sessions, access token and management keys end. Throws `reset-link-wrong` and `login-by-password-off`.
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
    await revokeManagementKeysOf(transaction, user.id, nowSeconds(context.clock));
    await clearFailures(transaction, user);
    await notifyOwner(transaction, context, options, { userId: user.id, change: "password" });
    await recordAudit(transaction, context, { action: "user.reset-password", object: `user:${user.id}` });
  });
  context.changes.announce("users");
  return password;
}

function wrongLink(): AppError {
  return new AppError("reset-link-wrong", "This link is wrong, was used or has expired. Ask for a new mail.");
}
