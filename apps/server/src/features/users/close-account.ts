import { USER_STATUS } from "@one-api/contract/accounts/user";
import type { CallContext } from "../../core/call-context.ts";
import { randomText } from "../../core/secrets.ts";
import type { Queryable } from "../../core/transaction.ts";
import { holdBoundAccount } from "./account.repository.ts";
import { rememberIdentities } from "./rewards/known-identities.ts";
import type { EndSessions } from "./update-self.ts";
import { changeUser } from "./user.repository.ts";

const UNIQUE_LENGTH = 16;

/** What else of an account ends with it, in the caller's transaction. */
export interface AccountEnd {
  readonly endSessions: EndSessions;
  /** Removes what the user proves the account with beside the password. */
  readonly removeFactors: (queryable: Queryable, userId: number) => Promise<void>;
}

/**
 * Closes an account in the caller's transaction: nothing proves its owner any more, its sessions end, and name, e-mail address and bound
 * accounts are free for others, though not for the quota of new users again. Its row, balance and log stay, and so do its tokens, which serve nobody whose user is not enabled.
 */
export async function closeAccount(
  transaction: Queryable,
  context: CallContext,
  userId: number,
  end: AccountEnd,
): Promise<void> {
  await rememberIdentities(transaction, context, (await holdBoundAccount(transaction, userId)) ?? {});
  await changeUser(transaction, userId, {
    status: USER_STATUS.deleted,
    username: `deleted_${userId}_${randomText(UNIQUE_LENGTH)}`,
    display_name: "",
    password_hash: "",
    password_is_default: 0,
    email: "",
    github_id: "",
    wechat_id: "",
    lark_id: "",
    oidc_id: "",
    access_token_hash: null,
    aff_code: null,
  });
  await end.removeFactors(transaction, userId);
  await end.endSessions(transaction, userId, undefined);
}
