import type { Token } from "@one-api/contract/token";
import { changesBetween, recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { nowSeconds } from "../../core/clock.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { clearAlertStates } from "../alerts/index.ts";
import { budgetChange } from "../../ledger/budgets/present-budget.ts";
import type { TokenDependencies } from "./create-token.ts";
import { editToken, type TokenEdit, type TokenEditInput } from "./edit-token.ts";
import { checkCanEnable, checkMayKeepBodies, checkOwnerCovers, tokenNotFound } from "./token.policy.ts";
import { presentToken } from "./token.present.ts";
import { changeTokenOf, findTokenOf, type TokenRow } from "./token.repository.ts";

/**
 * Changes the named fields of one of the caller's tokens. The owner is held first, as by every request that spends, so that what is read
 * here stays true until it is changed: what requests took is never given back. Throws `token-not-found`, `token-quota-above-own`,
 * `token-expired`, `token-exhausted`, `token-bodies-off` and the refusals of reading the edit.
 */
export async function updateToken(
  context: CallContext,
  { ledger, options }: TokenDependencies,
  input: TokenEditInput,
): Promise<Token> {
  const actor = requireActor(context);
  const now = nowSeconds(context.clock);
  if (input.remain_quota !== undefined || input.unlimited_quota !== undefined) await ledger.recallUserQuota(actor.id);
  const answer = await inTransaction(context.database, async (transaction) => {
    const ownerQuota = await ledger.holdUserQuota(transaction, actor.id);
    const before = await findTokenOf(transaction, actor.id, input.id);
    if (before === undefined) throw tokenNotFound();
    const edit = editToken(before, input, options.number("QuotaPerUnit"), now);
    checkMayKeepBodies(input.keep_bodies, before.keep_bodies, options.flag("LogBodiesEnabled"));
    if (edit.enables) checkCanEnable(edit.after, now);
    const getsMore = edit.after.remain_quota > before.remain_quota || before.unlimited_quota === 1;
    if (getsMore) checkOwnerCovers(edit.after, ownerQuota);
    const allotment = { from: before.remain_quota, to: edit.after.remain_quota, at: now };
    const allotted = await ledger.allot(transaction, { userId: actor.id, tokenId: before.id, ...allotment });
    if (!allotted) throw new Error(`The quota of token ${before.id} changed although its owner was held.`);
    if (input.budget !== undefined)
      await ledger.setBudget(transaction, { userId: actor.id, tokenId: before.id, budget: input.budget, at: now });
    const token = presentToken(await saveEdit(transaction, context, before, edit), context.secrets, now);
    await context.rememberAnswer?.(transaction, token);
    return token;
  });
  context.changes.announce("tokens");
  return answer;
}

async function saveEdit(
  queryable: Queryable,
  context: CallContext,
  before: TokenRow,
  edit: TokenEdit,
): Promise<TokenRow> {
  const { remain_quota } = edit.after;
  const isSetAnew = remain_quota !== before.remain_quota || edit.after.unlimited_quota !== before.unlimited_quota;
  const ceiling = isSetAnew ? { quota_ceiling: remain_quota } : {};
  const row = await changeTokenOf(queryable, before.user_id, before.id, { ...edit.changes, ...ceiling });
  if (row === undefined) throw tokenNotFound();
  // Mails about what was before are of no concern any more; the next crossing is told again.
  if (isSetAnew) await clearAlertStates(queryable, ["token-quota"], before.id);
  if (row.expired_time !== before.expired_time) await clearAlertStates(queryable, ["token-expiry"], before.id);
  const detail = { ...changesBetween(before, { ...edit.changes, remain_quota }), ...budgetChange(before, row) };
  await recordAudit(queryable, context, { action: "token.update", object: `token:${before.id}`, detail });
  return row;
}
