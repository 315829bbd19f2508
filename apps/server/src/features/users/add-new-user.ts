import { LOG_TYPE } from "@one-api/contract/logs/log";
import { ROLE } from "@one-api/contract/accounts/roles";
import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import type { CallContext } from "../../core/call-context.ts";
import type { OptionStore } from "../../core/option-store.ts";
import type { QuotaLedger } from "@one-api/ledger/quota";
import type { Queryable } from "../../core/transaction.ts";
import { writeLog } from "../logs/index.ts";
import { describeQuota } from "../options/index.ts";
import { createDefaultToken } from "../tokens/index.ts";
import { checkNewUsername } from "./check-names.ts";
import { insertUser, type NewUser } from "./user.repository.ts";

export type NewAccount = Pick<NewUser, "username" | "display_name" | "created_at"> & Partial<NewUser>;

interface NewUserDeps {
  readonly options: OptionStore;
  readonly ledger: QuotaLedger;
  readonly isNewPerson?: boolean;
}

/**
 * Adds a regular user with a first token in the caller's transaction. A new person gets the bonus for new
 * users.
 * Throws `user-username-look-alike` and `user-username-taken`.
 */
export async function addNewUser(
  transaction: Queryable,
  context: CallContext,
  account: NewAccount,
  { options, ledger, isNewPerson = true }: NewUserDeps,
): Promise<number> {
  const { username, created_at } = account;
  await checkNewUsername(transaction, username);
  const userId = await insertUser(transaction, { ...EMPTY_ACCOUNT, ...account });
  await createDefaultToken(transaction, context, ledger, userId);
  const quota = options.number("QuotaForNewUser");
  if (quota === 0 || !isNewPerson) return userId;
  await ledger.grant(transaction, { userId, amount: quota, note: "new user", at: created_at });
  await writeLog(transaction, {
    created_at,
    type: LOG_TYPE.system,
    user_id: userId,
    username,
    content: `Quota for new users: ${describeQuota(options, quota)}.`,
    event: { code: "quota-of-new-user", values: { quota } },
  });
  return userId;
}

export const EMPTY_ACCOUNT = {
  password_hash: "",
  role: ROLE.user,
  status: USER_STATUS.enabled,
  email: "",
  github_id: "",
  wechat_id: "",
  lark_id: "",
  access_token_hash: null,
  group: "default",
  aff_code: null,
  inviter_id: null,
} as const;
