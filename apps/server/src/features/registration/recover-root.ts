import { ROLE } from "@one-api/contract/accounts/roles";
import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import { randomText } from "../../core/secrets.ts";
import { inTransaction } from "../../core/transaction.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { removeFactors } from "../factors/index.ts";
import { renewOptionsVersion, saveOption } from "../options/index.ts";
import { endSessions, clearFailures } from "../sessions/index.ts";
import { changeAccount, findAccount, lockRoot, type PasswordHasher, revokeManagementKeysOf } from "../users/index.ts";

const PASSWORD_LENGTH = 20;

/**
 * Gives root a new random password, turns on login by password, and removes root's second factors, sessions,
 * access token and management keys.
 * Returns the credentials; undefined without a root account.
 */
export async function recoverRoot(
  context: CallContext,
  hasher: PasswordHasher,
): Promise<{ readonly username: string; readonly password: string } | undefined> {
  const password = randomText(PASSWORD_LENGTH);
  const password_hash = await hasher.hash(password);
  return inTransaction(context.database, async (transaction) => {
    const root = await lockRoot(transaction);
    const account = root && (await findAccount(transaction, root.id));
    if (account?.role !== ROLE.root || account.status === USER_STATUS.deleted) return undefined;
    const { id } = account;
    await changeAccount(transaction, id, { password_hash, password_is_default: 0, access_token_hash: null });
    await revokeManagementKeysOf(transaction, id, nowSeconds(context.clock));
    await removeFactors(transaction, id);
    await endSessions(transaction, id, undefined);
    await clearFailures(transaction, account);
    await saveOption(transaction, { key: "PasswordLoginEnabled", value: "true" });
    await renewOptionsVersion(transaction);
    await recordAudit(transaction, context, { action: "user.recover-root", object: `user:${id}` });
    return { username: account.username, password };
  });
}
