import type { Token } from "@one-api/contract/token";
import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { nowSeconds } from "../../core/clock.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { allotQuota } from "./allot-quota.ts";
import { editToken, type TokenEdit, type TokenEditInput } from "./edit-token.ts";
import { checkCanEnable, checkOwnerCovers, tokenNotFound } from "./token.policy.ts";
import { presentToken } from "./token.present.ts";
import { changeTokenOf, findOwnerQuota, findTokenOf, type TokenRow } from "./token.repository.ts";

/** How often an edit is worked out anew because requests took quota while it was made. */
const ATTEMPTS = 20;

/**
 * Changes the named fields of one of the caller's tokens. Quota is set only if it still is what the edit was worked out from; what
 * requests took meanwhile is never given back. Throws `not-found`, `not-enough-quota`, `conflict` and `invalid-input`.
 */
export async function updateToken(context: CallContext, input: TokenEditInput, quotaPerUnit: number): Promise<Token> {
  const actor = requireActor(context);
  const now = nowSeconds(context.clock);
  const row = await inTransaction(context.database, async (transaction) => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const before = await findTokenOf(transaction, actor.id, input.id);
      if (before === undefined) throw tokenNotFound();
      const edit = editToken(before, input, quotaPerUnit, now);
      await checkEdit(transaction, before, edit, now);
      if (!(await allotQuota(transaction, context, before, edit.after.remain_quota))) continue;
      return saveEdit(transaction, context, before, edit);
    }
    throw new AppError("conflict", "Requests are spending the token's quota right now. Save again.", {
      field: "remain_quota",
    });
  });
  context.changes.announce("tokens");
  return presentToken(row, context.secrets, now);
}

async function saveEdit(
  queryable: Queryable,
  context: CallContext,
  before: TokenRow,
  edit: TokenEdit,
): Promise<TokenRow> {
  const row = await changeTokenOf(queryable, before.user_id, before.id, edit.changes);
  if (row === undefined) throw tokenNotFound();
  const quotaDifference = edit.after.remain_quota - before.remain_quota;
  const detail = quotaDifference === 0 ? edit.changes : { ...edit.changes, quota_difference: quotaDifference };
  await recordAudit(queryable, context, { action: "token.update", object: `token:${before.id}`, detail });
  return row;
}

async function checkEdit(queryable: Queryable, before: TokenRow, edit: TokenEdit, now: number): Promise<void> {
  if (edit.enables) checkCanEnable(edit.after, now);
  const getsMore = edit.after.remain_quota > before.remain_quota || before.unlimited_quota === 1;
  if (getsMore) checkOwnerCovers(edit.after, await findOwnerQuota(queryable, before.user_id));
}
