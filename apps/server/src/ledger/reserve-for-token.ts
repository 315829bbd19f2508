import type { LedgerTransaction } from "./book-settlements.ts";
import { BudgetBook } from "./budgets/budget-book.ts";
import type { HoldRow } from "./ledger-statements.ts";
import type { Payer, Reservation, ReserveOutcome, ReserveRefusal } from "./ledger.ts";

/** One reservation of a group and where its outcome goes. */
export interface ReserveStep {
  readonly reservation: Reservation;
  outcome: ReserveOutcome;
}

/**
 * Reserves for one token: in one step when the balances cover all of the group, else one by one in the order of arrival.
 * Returns the rows to insert for those that were granted.
 */
export async function reserveForToken(
  transaction: LedgerTransaction,
  steps: readonly ReserveStep[],
  instanceId: string,
): Promise<HoldRow[]> {
  const first = steps[0];
  if (first === undefined) return [];
  const total = steps.reduce((sum, step) => sum + step.reservation.amount, 0);
  const book = steps.some(({ reservation }) => reservation.budgeted === true)
    ? new BudgetBook(transaction, first.reservation.userId)
    : undefined;
  if (
    book === undefined &&
    steps.length > 1 &&
    (await takeQuota(transaction, first.reservation, total)) === undefined
  ) {
    return steps.map((step) => toRow(step.reservation, instanceId));
  }
  const rows: HoldRow[] = [];
  for (const step of steps) {
    const { reservation } = step;
    const refusal = await takeQuota(transaction, reservation, reservation.amount);
    // Once something was taken the user's balance is held, and with it the budgets.
    const budgetRefusal =
      refusal === undefined && reservation.budgeted === true
        ? await book?.take(reservation.tokenId, reservation)
        : undefined;
    if (refusal !== undefined) step.outcome = { ok: false, refusal };
    else if (budgetRefusal !== undefined) {
      step.outcome = { ok: false, ...budgetRefusal };
      await giveBack(transaction, reservation);
    } else rows.push(toRow(reservation, instanceId));
  }
  await book?.save();
  return rows;
}

async function giveBack(
  { run, statements }: LedgerTransaction,
  { userId, tokenId, tokenUnlimited, amount }: Reservation,
): Promise<void> {
  await statements.takeFromUser(run, { userId, amount: -amount, atLeast: 0 });
  if (!tokenUnlimited) await statements.takeFromToken(run, { tokenId, amount: -amount, atLeast: 0 });
}

/**
 * Takes the amount from user and token, or from neither. Each is one conditional statement, so that parallel calls can never
 * take more than there is. Returns undefined when it was taken, else whose balance fell short.
 */
async function takeQuota(
  { run, statements }: LedgerTransaction,
  payer: Payer,
  amount: number,
): Promise<ReserveRefusal | undefined> {
  const user = await statements.takeFromUser(run, { userId: payer.userId, amount, atLeast: amount });
  if (user.changes === 0) return "user-quota";
  if (payer.tokenUnlimited) return undefined;
  const token = await statements.takeFromToken(run, { tokenId: payer.tokenId, amount, atLeast: amount });
  if (token.changes > 0) return undefined;
  await statements.takeFromUser(run, { userId: payer.userId, amount: -amount, atLeast: 0 });
  return "token-quota";
}

function toRow(reservation: Reservation, instanceId: string): HoldRow {
  return {
    request_id: reservation.requestId,
    user_id: reservation.userId,
    token_id: reservation.tokenId,
    token_unlimited: reservation.tokenUnlimited ? 1 : 0,
    user_amount: reservation.amount,
    token_amount: reservation.tokenUnlimited ? 0 : reservation.amount,
    delivered_quota: 0,
    channel_id: 0,
    instance_id: instanceId,
    created_at: reservation.createdAt,
  };
}
