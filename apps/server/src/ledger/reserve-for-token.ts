import type { ReserveOutcome, Reservation } from "./ledger-operation.ts";
import type { ReservationRow } from "./ledger-statements.ts";
import { type LedgerTransaction, takeQuota } from "./take-quota.ts";

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
): Promise<ReservationRow[]> {
  const first = steps[0];
  if (first === undefined) return [];
  const total = steps.reduce((sum, step) => sum + step.reservation.amount, 0);
  if (steps.length > 1 && (await takeQuota(transaction, first.reservation, total)) === undefined) {
    return steps.map((step) => toRow(step.reservation, instanceId));
  }
  const rows: ReservationRow[] = [];
  for (const step of steps) {
    const refusal = await takeQuota(transaction, step.reservation, step.reservation.amount);
    if (refusal === undefined) rows.push(toRow(step.reservation, instanceId));
    else step.outcome = { ok: false, refusal };
  }
  return rows;
}

function toRow(reservation: Reservation, instanceId: string): ReservationRow {
  return {
    request_id: reservation.requestId,
    user_id: reservation.userId,
    token_id: reservation.tokenId,
    user_amount: reservation.amount,
    token_amount: reservation.tokenUnlimited ? 0 : reservation.amount,
    instance_id: instanceId,
    created_at: reservation.createdAt,
  };
}
