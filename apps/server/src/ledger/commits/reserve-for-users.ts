import { inOrder, type LedgerTransaction } from "./book-settlements.ts";
import { BudgetBook } from "../budgets/budget-book.ts";
import type { HoldRow } from "../statements/ledger-statements.ts";
import type { Payer, Reservation, ReserveOutcome, ReserveRefusal } from "../ledger.ts";
import type { StatementsForMany } from "../statements/statements-for-many.ts";

/** Stands in the place of a process in holds that none of them owns: whoever looks after the dead leaves them alone. */
export const OUTLIVES_PROCESSES = "outlives-processes";

/** One reservation of a group and where its outcome goes. */
export interface ReserveStep {
  readonly reservation: Reservation;
  outcome: ReserveOutcome;
}

/** The reservations of a group, by user and token. */
export type UserReserves = readonly [userId: number, ofTokens: ReadonlyMap<number, readonly ReserveStep[]>];

/**
 * Reserves for the users of a group: with one statement for all users and one for all tokens where that is cheaper. Returns the rows to insert
 * for those that were granted.
 */
export async function reserveForUsers(
  transaction: LedgerTransaction,
  users: readonly UserReserves[],
  instanceId: string,
): Promise<HoldRow[]> {
  const { many } = transaction.statements;
  const taken = many === undefined || users.length === 1 ? NOBODY : await takeFromMany(transaction, many, users);
  const rows: HoldRow[] = [];
  for (const [, ofTokens] of users) {
    for (const [tokenId, steps] of inOrder(ofTokens)) {
      if (taken.has(tokenId)) rows.push(...steps.map((step) => toRow(step.reservation, instanceId)));
      else rows.push(...(await reserveForToken(transaction, steps, instanceId)));
    }
  }
  return rows;
}

const NOBODY: ReadonlySet<number> = new Set();

/** Takes all of it from the users and tokens whose balances cover all that the group asks of them. Returns the tokens for which that was done. */
async function takeFromMany(
  { run, statements }: LedgerTransaction,
  many: StatementsForMany,
  users: readonly UserReserves[],
): Promise<ReadonlySet<number>> {
  const asked = users.flatMap(([userId, ofTokens]) => {
    const tokens = [...ofTokens].map(([tokenId, steps]) => ({ tokenId, steps, amount: totalOf(steps) }));
    return tokens.every(({ steps }) => areAlike(steps) && !areBudgeted(steps))
      ? [{ id: userId, tokens, amount: tokens.reduce((sum, { amount }) => sum + amount, 0) }]
      : [];
  });
  const fromUsers = await many.takeFromUsers(run, asked);
  const tokens = asked.flatMap(({ id, tokens: ofUser }) =>
    fromUsers.has(id) ? ofUser.map(({ tokenId, steps, amount }) => ({ id: tokenId, userId: id, steps, amount })) : [],
  );
  const limited = tokens.filter(({ steps }) => steps[0]?.reservation.tokenUnlimited === false);
  const fromTokens = await many.takeFromTokens(run, limited);
  const short = limited.filter(({ id }) => !fromTokens.has(id));
  for (const { userId, amount } of short) await statements.takeFromUser(run, { userId, amount: -amount, atLeast: 0 });
  const shortIds = new Set(short.map(({ id }) => id));
  return new Set(tokens.flatMap(({ id }) => (shortIds.has(id) ? [] : [id])));
}

function totalOf(steps: readonly ReserveStep[]): number {
  return steps.reduce((sum, { reservation }) => sum + reservation.amount, 0);
}

/** A token may have got or lost a limit between two requests of a group. */
function areAlike(steps: readonly ReserveStep[]): boolean {
  const first = steps[0]?.reservation.tokenUnlimited;
  return steps.every(({ reservation }) => reservation.tokenUnlimited === first);
}

function areBudgeted(steps: readonly ReserveStep[]): boolean {
  return steps.some(({ reservation }) => reservation.budgeted === true);
}

/**
 * Reserves for one token: in one step when the balances cover all of the group, else one by one in the order of arrival.
 * Returns the rows to insert for those that were granted.
 */
async function reserveForToken(
  transaction: LedgerTransaction,
  steps: readonly ReserveStep[],
  instanceId: string,
): Promise<HoldRow[]> {
  const first = steps[0];
  if (first === undefined) return [];
  const book = areBudgeted(steps) ? new BudgetBook(transaction, first.reservation.userId) : undefined;
  if (
    book === undefined &&
    steps.length > 1 &&
    areAlike(steps) &&
    (await takeQuota(transaction, first.reservation, totalOf(steps))) === undefined
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

/** The row that holds quota for a request of the instance. */
export function toRow(reservation: Reservation, instanceId: string): HoldRow {
  return {
    request_id: reservation.requestId,
    user_id: reservation.userId,
    token_id: reservation.tokenId,
    token_unlimited: reservation.tokenUnlimited ? 1 : 0,
    user_amount: reservation.amount,
    token_amount: reservation.tokenUnlimited ? 0 : reservation.amount,
    delivered_quota: 0,
    channel_id: 0,
    instance_id: reservation.outlivesProcess === true ? OUTLIVES_PROCESSES : instanceId,
    created_at: reservation.createdAt,
  };
}
