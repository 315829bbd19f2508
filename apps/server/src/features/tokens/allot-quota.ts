import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../core/clock.ts";
import { randomText } from "../../core/secrets.ts";
import type { Queryable } from "../../core/transaction.ts";
import { insertAllotment, replaceRemainQuota, type TokenRow } from "./token.repository.ts";

const REQUEST_ID_LENGTH = 24;

/**
 * Sets what remains of the token, which was read as it is given here, and books the difference. Returns false, and does nothing, when
 * something else changed it since.
 */
export async function allotQuota(
  queryable: Queryable,
  context: CallContext,
  token: Pick<TokenRow, "id" | "user_id" | "remain_quota">,
  remainQuota: number,
): Promise<boolean> {
  const difference = remainQuota - token.remain_quota;
  if (difference === 0) return true;
  if (!(await replaceRemainQuota(queryable, token, remainQuota))) return false;
  await insertAllotment(queryable, {
    userId: token.user_id,
    tokenId: token.id,
    amount: difference,
    requestId: `allot:${randomText(REQUEST_ID_LENGTH)}`,
    createdAt: nowSeconds(context.clock),
  });
  return true;
}
