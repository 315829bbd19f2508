import type { LedgerTransaction } from "./book-settlements.ts";
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
  if (steps.length > 1 && (await takeQuota(transaction, first.reservation, total)) === undefined) {
    return steps.map((step) => toRow(step.reservation, instanceId));
  }
  const rows: HoldRow[] = [];
  for (const step of steps) {
    const refusal = await takeQuota(transaction, step.reservation, step.reservation.amount);
    if (refusal === undefined) rows.push(toRow(step.reservation, instanceId));
    else step.outcome = { ok: false, refusal };
  }
  return rows;
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
