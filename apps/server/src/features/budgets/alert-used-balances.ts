import { USE_MARKS, type UseMark } from "@one-api/contract/notifications/notification-constants";
import { nowSeconds } from "../../platform/clock.ts";
import { inTransaction } from "../../core/transaction.ts";
import { clearAlertState, idRanges, queueAlert, raiseAlertState } from "../alerts/index.ts";
import { amountText } from "../mail/index.ts";
import { type BudgetAlertDeps, markReached } from "./alert-used-budgets.ts";
import {
  findNewestIds,
  listUsedBalancesOfTokens,
  listUsedBalancesOfUsers,
  type UsedBalance,
} from "./used-balances.repository.ts";

type BalanceKind = "user-balance" | "token-balance";

/**
 * Queues an alert for each balance of a user or limited token that has reached a mark, once until a top-up. Returns their number.
 */
export async function alertUsedBalances(deps: BudgetAlertDeps, marks: readonly UseMark[] = USE_MARKS): Promise<number> {
  const { db } = deps.database;
  const newest = await findNewestIds(db);
  let alerts = 0;
  const alertEach = async (kind: BalanceKind, balances: readonly UsedBalance[]) => {
    for (const balance of balances) if (await alertBalance(deps, { kind, marks }, balance)) alerts += 1;
  };
  for await (const range of idRanges(newest.users))
    await alertEach("user-balance", await listUsedBalancesOfUsers(db, range, marks));
  for await (const range of idRanges(newest.tokens))
    await alertEach("token-balance", await listUsedBalancesOfTokens(db, range, marks));
  return alerts;
}

function alertBalance(
  { database, clock, options }: BudgetAlertDeps,
  { kind, marks }: { readonly kind: BalanceKind; readonly marks: readonly UseMark[] },
  { id, username: user, token, whole, spent, level, is_outdated }: UsedBalance,
): Promise<boolean> {
  const at = nowSeconds(clock);
  const percent = markReached(marks, spent, whole);
  return inTransaction(database, async (transaction) => {
    if (is_outdated === 1) await clearAlertState(transaction, { kind, id, level });
    if (percent === undefined || !(await raiseAlertState(transaction, { kind, id, level: percent, at }))) return false;
    const [used, limit] = [amountText(options, spent), amountText(options, whole)];
    const facts = {
      user,
      ...(token === null ? {} : { token }),
      percent,
      since: is_outdated === 1 ? 0 : level,
      used,
      limit,
    };
    await queueAlert(transaction, { kind: "balance-used", ...facts }, at);
    return true;
  });
}
