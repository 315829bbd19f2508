import type { Token } from "@one-api/contract/token";
import { changesBetween, recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { clearAlertStates } from "../alerts/index.ts";
import { budgetChange } from "../budgets/index.ts";
import type { TokenDependencies } from "./create-token.ts";
import { editToken, type TokenEdit, type TokenEditInput } from "./edit-token.ts";
import {
  checkCanEnable,
  checkMayStoreBodies,
  checkOwnerCovers,
  checkOwnGroups,
  tokenNotFound,
} from "./token.policy.ts";
import { presentToken } from "./token.present.ts";
import { changeTokenOf, findTokenOf, type TokenRow } from "./token.repository.ts";

const MOST_TRIES = 50;

/**
 * Changes the given fields after all servers have released their shares. Quota reserved by running requests
 * stays with the token.
 * Throws `token-not-found`, `token-quota-above-own`, `token-expired`, `token-exhausted`, `token-bodies-off`,
 * `token-group-not-own` and refusals of the input.
 */
export async function updateToken(
  context: CallContext,
  dependencies: TokenDependencies,
  input: TokenEditInput,
): Promise<Token> {
  const actor = requireActor(context);
  const { ledger } = dependencies;
  if (changesQuota(input) && (await findTokenOf(context.database.db, actor.id, input.id)) !== undefined)
    await Promise.all([ledger.reclaimUserQuota(actor.id), ledger.reclaimTokenQuota(input.id)]);
  for (let tries = 1; ; tries += 1) {
    try {
      const token = await inTransaction(context.database, (transaction) =>
        editInTransaction(context, dependencies, input, { transaction, userId: actor.id }),
      );
      context.changes.announce("tokens");
      return token;
    } catch (error) {
      if (!(error instanceof ChargedMeanwhileError) || tries === MOST_TRIES) throw error;
    }
  }
}

function changesQuota({ remain_quota, recharge_quota, unlimited_quota }: TokenEditInput): boolean {
  return remain_quota !== undefined || recharge_quota !== undefined || unlimited_quota !== undefined;
}

/** A charge changed the balance that the edit was computed from. */
class ChargedMeanwhileError extends Error {
  override name = "ChargedMeanwhileError";

  constructor(tokenId: number) {
    super(`Requests were charged to token ${tokenId} at each try to change its quota.`);
  }
}

async function editInTransaction(
  context: CallContext,
  { ledger, options }: TokenDependencies,
  input: TokenEditInput,
  { transaction, userId }: { readonly transaction: Queryable; readonly userId: number },
): Promise<Token> {
  const now = nowSeconds(context.clock);
  const ownerQuota = await ledger.lockUserPool(transaction, userId);
  const before = await findTokenOf(transaction, userId, input.id);
  if (before === undefined) throw tokenNotFound();
  const edit = editToken(before, input, options.number("QuotaPerUnit"), now);
  if (input.group !== undefined) checkOwnGroups(input.group, requireActor(context).group, before.group);
  checkMayStoreBodies(input.keep_bodies, before.keep_bodies, options.flag("LogBodiesEnabled"));
  if (edit.enables) checkCanEnable(edit.after, now);
  const getsMore = edit.after.remain_quota > before.remain_quota || before.unlimited_quota === 1;
  if (getsMore) checkOwnerCovers(edit.after, ownerQuota);
  const allotment = { from: before.remain_quota, to: edit.after.remain_quota, at: now };
  const excess = await ledger.allot(transaction, { userId, tokenId: before.id, ...allotment });
  if (excess === undefined) throw new ChargedMeanwhileError(before.id);
  if (input.budget !== undefined)
    await ledger.setBudget(transaction, { userId, tokenId: before.id, budget: input.budget, at: now });
  const row = await saveEdit(transaction, context, before, { ...edit, remains: edit.after.remain_quota + excess });
  const token = presentToken(row, context.secrets, now);
  await context.rememberAnswer?.(transaction, token);
  return token;
}

interface AllottedEdit extends TokenEdit {
  readonly remains: number;
}

async function saveEdit(
  queryable: Queryable,
  context: CallContext,
  before: TokenRow,
  edit: AllottedEdit,
): Promise<TokenRow> {
  const remain_quota = edit.remains;
  const isSetAnew = remain_quota !== before.remain_quota || edit.after.unlimited_quota !== before.unlimited_quota;
  const ceiling = isSetAnew ? { quota_ceiling: remain_quota } : {};
  const row = await changeTokenOf(queryable, before.user_id, before.id, { ...edit.changes, ...ceiling });
  if (row === undefined) throw tokenNotFound();
  // A new quota or expiry arms the alerts again.
  if (isSetAnew) await clearAlertStates(queryable, ["token-quota"], before.id);
  if (row.expired_time !== before.expired_time) await clearAlertStates(queryable, ["token-expiry"], before.id);
  const detail = { ...changesBetween(before, { ...edit.changes, remain_quota }), ...budgetChange(before, row) };
  await recordAudit(queryable, context, { action: "token.update", object: `token:${before.id}`, detail });
  return row;
}
