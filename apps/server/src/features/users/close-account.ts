import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import type { CallContext } from "../../core/call-context.ts";
import { randomText } from "../../core/secrets.ts";
import type { Queryable } from "../../core/transaction.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { lockBoundAccount } from "./account.repository.ts";
import { revokeManagementKeysOf } from "./keys/management-key.repository.ts";
import { rememberIdentities } from "./rewards/known-identities.ts";
import type { EndSessions } from "./update-self.ts";
import { changeUser } from "./user.repository.ts";

const UNIQUE_LENGTH = 16;

export interface AccountEnd {
  readonly endSessions: EndSessions;
  readonly removeFactors: (queryable: Queryable, userId: number) => Promise<void>;
}

/** Closes an account in the caller's transaction. Name, address and bindings become free, but grant no second bonus. Row, balance, log and tokens stay; the tokens are refused. */
export async function closeAccount(
  transaction: Queryable,
  context: CallContext,
  userId: number,
  end: AccountEnd,
): Promise<void> {
  await rememberIdentities(transaction, context, (await lockBoundAccount(transaction, userId)) ?? {});
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
  await revokeManagementKeysOf(transaction, userId, nowSeconds(context.clock));
  await end.removeFactors(transaction, userId);
  await end.endSessions(transaction, userId, undefined);
}
