import type { RunStatement } from "@one-api/database/open-database";
import {
  bookForUsers,
  type BookedRows,
  inOrder,
  keepBooked,
  type LedgerTransaction,
  readRemaining,
  type SettleStep,
} from "./book-settlements.ts";
import { type BudgetMark, type LedgerBudget, readBudget } from "../budgets/budget.ts";
import type { CheckpointRow, LedgerStatements } from "../statements/ledger-statements.ts";
import {
  CALLER_CHANGED,
  type Payer,
  type Reservation,
  type ReserveOutcome,
  type Settlement,
  type SettleOutcome,
} from "../ledger.ts";
import type { LateBalances } from "./late-balances.ts";
import { reserveForUsers, type ReserveStep } from "./reserve-for-users.ts";

/** A settlement that waits for a commit. */
export interface SettleOperation {
  readonly kind: "settle";
  readonly settlement: Settlement;
  /** What may be taken at the most, from the user and from a limited token. */
  readonly mostFromUser: number;
  readonly mostFromToken: number;
  /** Whether `relay_holds` has a row of the request: quota set aside, or a checkpoint. Where it must be `alone`, nothing is settled without. */
  readonly holdRow: "none" | "may-be" | "must-be" | "alone";
  /** What that row holds, where this process knows. */
  readonly held?: { readonly user: number; readonly token: number } | undefined;
  /** What of a lease is set aside for it, in the place of a row. */
  readonly leased?: number | undefined;
  /** An earlier try may have been committed. */
  readonly uncertain: boolean;
  /** In which periods of budgets it counts; undefined where its accounts have none. */
  readonly budgetMarks?: readonly BudgetMark[] | undefined;
}

/** What waits for a commit of the ledger. */
export type LedgerOperation =
  | SettleOperation
  /** Sets quota aside in a row. */
  | { readonly kind: "reserve"; readonly reservation: Reservation }
  /** Gives back what a row holds, if there is one. */
  | { readonly kind: "release"; readonly hold: Payer & { readonly requestId: string } }
  /** Notes what requests have delivered in rows that hold nothing. */
  | { readonly kind: "checkpoint"; readonly rows: readonly CheckpointRow[] }
  /** Reads what a user or a token has. */
  | { readonly kind: "read"; readonly account: "user" | "token"; readonly id: number }
  /** Reads the budgets of a user and a token. */
  | { readonly kind: "read-budgets"; readonly userId: number; readonly tokenId: number };

/** The outcome of an operation, by its kind. */
export type LedgerOutcome =
  | {
      readonly kind: "settle";
      readonly outcome: SettleOutcome;
      readonly fromToken: number;
      /** What it took off the lease that set quota aside for it, as nothing else covered the charge. */
      readonly fromLease: number;
    }
  | { readonly kind: "reserve"; readonly outcome: ReserveOutcome }
  | { readonly kind: "done" }
  | { readonly kind: "read"; readonly remaining: number }
  | { readonly kind: "read-budgets"; readonly budgets: readonly LedgerBudget[] };

/** How a group is run. */
export interface GroupContext {
  /** Counts from 1: from the second attempt on, what an earlier one may have committed is looked for. */
  readonly attempt: number;
  /** Names this process in its rows. */
  readonly instanceId: string;
  /** Where balances are brought up to date later than charges are committed. */
  readonly late?: LateBalances | undefined;
}

interface UserSteps {
  readonly settles: SettleStep[];
  readonly reserves: Map<number, ReserveStep[]>;
}

const DONE = { kind: "done" } as const;
const NOT_SETTLED: LedgerOutcome = {
  kind: "settle",
  outcome: { settled: false, charged: 0 },
  fromToken: 0,
  fromLease: 0,
};

/**
 * Runs a group of operations in one transaction. Users are locked in the order of their ids and a user's tokens after the user, so that
 * several processes cannot block each other.
 */
export async function runLedgerGroup(
  run: RunStatement,
  statements: LedgerStatements,
  operations: readonly LedgerOperation[],
  context: GroupContext,
): Promise<LedgerOutcome[]> {
  const transaction = { run, statements };
  // Before the settlements, as one of the same group takes the row of its request away: what stayed would be booked at the next start.
  for (const operation of operations)
    if (operation.kind === "checkpoint") await statements.insertCheckpoints(run, operation.rows);
  const { users, outcomes } = await planByUser(transaction, operations, context);
  const rows: BookedRows = { usage: [], spentByChannel: new Map() };
  const sorted = users.size === 1 ? [...users] : inOrder(users);
  if (sorted.length > 1) await lockAccounts(transaction, sorted);
  const settles = sorted.filter(([, steps]) => steps.settles.length > 0);
  const reserves = sorted.filter(([, steps]) => steps.reserves.size > 0);
  await bookSettles(
    transaction,
    settles.map(([userId, steps]) => [userId, steps.settles]),
    rows,
    { late: context.late, canWait: operations.every(needsNoBalance) },
  );
  const holds = await reserveForUsers(
    transaction,
    reserves.map(([userId, steps]) => [userId, steps.reserves]),
    context.instanceId,
  );
  // Nothing here waits for anything: PostgreSQL is sent all of it at once.
  await Promise.all([
    statements.insertHolds(run, holds),
    statements.insertUsage(run, rows.usage),
    ...inOrder(rows.spentByChannel).map(async ([channelId, charged]) =>
      statements.settleChannel(run, { channelId, charged }),
    ),
  ]);
  return runSingly(transaction, operations, outcomes);
}

/** Who reads balances, or takes from them, needs them as they are. */
function needsNoBalance({ kind }: LedgerOperation): boolean {
  return kind === "settle" || kind === "checkpoint";
}

/** Leaves the balances for later where that is possible; else they are brought up to date and changed now. */
async function bookSettles(
  transaction: LedgerTransaction,
  users: readonly (readonly [userId: number, steps: readonly SettleStep[]])[],
  rows: BookedRows,
  { late, canWait }: { readonly late: LateBalances | undefined; readonly canWait: boolean },
): Promise<void> {
  if (canWait && (await late?.book(transaction.run, users)) === true) return keepBooked(transaction, users, rows);
  await late?.bringUp(transaction.run);
  await bookForUsers(transaction, users, rows);
}

/** Where many are changed with one statement, which follows no order of its own. */
async function lockAccounts(
  { run, statements: { many } }: LedgerTransaction,
  users: readonly (readonly [number, UserSteps])[],
): Promise<void> {
  if (many === undefined) return;
  const tokenIds = new Set<number>();
  for (const [, { settles, reserves }] of users) {
    for (const { settlement } of settles) tokenIds.add(settlement.tokenId);
    for (const tokenId of reserves.keys()) tokenIds.add(tokenId);
  }
  const userIds = users.map(([userId]) => userId);
  await many.lock(run, userIds, [...tokenIds]);
}

type ReadOutcome = (() => LedgerOutcome) | undefined;

/** What is read comes last, so that it is what this very group leaves. */
async function runSingly(
  { run, statements }: LedgerTransaction,
  operations: readonly LedgerOperation[],
  outcomes: readonly ReadOutcome[],
): Promise<LedgerOutcome[]> {
  const finished: LedgerOutcome[] = [];
  for (const [index, operation] of operations.entries()) {
    if (operation.kind === "read") {
      const { account, id } = operation;
      const read =
        account === "user" ? statements.peekUser(run, { userId: id }) : statements.peekToken(run, { tokenId: id });
      finished.push({ kind: "read", remaining: readRemaining(await read) });
    } else if (operation.kind === "read-budgets") {
      const { rows } = await statements.readBudgets(run, { userId: operation.userId, tokenId: operation.tokenId });
      finished.push({ kind: "read-budgets", budgets: rows.map(readBudget) });
    } else finished.push(outcomes[index]?.() ?? DONE);
  }
  return finished;
}

interface Plan {
  readonly users: Map<number, UserSteps>;
  /** Reads each operation's outcome, in the order of the operations. */
  readonly outcomes: ReadOutcome[];
}

async function planByUser(
  { run, statements }: LedgerTransaction,
  operations: readonly LedgerOperation[],
  context: GroupContext,
): Promise<Plan> {
  const held = readHolds(await statements.deleteHolds(run, operations.flatMap(idOfHold)));
  const kept = context.attempt > 1 ? await findKept({ run, statements }, operations) : undefined;
  const hasChanged = await findChangedCallers({ run, statements }, operations);
  const plan: Plan = { users: new Map(), outcomes: [] };
  const stepsOf = (userId: number): UserSteps => {
    let steps = plan.users.get(userId);
    if (steps === undefined) plan.users.set(userId, (steps = { settles: [], reserves: new Map() }));
    return steps;
  };
  for (const operation of operations) {
    if (operation.kind === "settle" || operation.kind === "release") {
      const step = operation.kind === "settle" ? settleStep(operation, held, context) : releaseStep(operation, held);
      if (step !== undefined) stepsOf(step.settlement.userId).settles.push(step);
      plan.outcomes.push(() => (step === undefined ? NOT_SETTLED : settled(step)));
    } else if (operation.kind === "reserve") {
      const { reservation } = operation;
      const step: ReserveStep = { reservation, outcome: { ok: true } };
      if (kept?.has(reservation.requestId) !== true) {
        if (hasChanged(reservation)) step.outcome = CALLER_CHANGED;
        else addTo(stepsOf(reservation.userId).reserves, reservation.tokenId, step);
      }
      plan.outcomes.push(() => ({ kind: "reserve", outcome: step.outcome }));
    } else plan.outcomes.push(undefined);
  }
  return plan;
}

function settled({ booked: { outcome, fromToken }, lease }: SettleStep): LedgerOutcome {
  return { kind: "settle", outcome, fromToken, fromLease: lease?.taken?.userAmount ?? 0 };
}

function addTo(steps: Map<number, ReserveStep[]>, tokenId: number, step: ReserveStep): void {
  const ofToken = steps.get(tokenId);
  if (ofToken === undefined) steps.set(tokenId, [step]);
  else ofToken.push(step);
}

interface Held {
  readonly user: number;
  readonly token: number;
  /** Unix seconds. */
  readonly createdAt: number;
}

/** What a request's row held, for the first of a group that asks: whoever takes a row away gives it back, once. */
function takeHeld(holds: Map<string, Held>, requestId: string): Held | undefined {
  const held = holds.get(requestId);
  holds.delete(requestId);
  return held;
}

/** A release of nothing needs no step. */
function releaseStep(
  { hold }: Extract<LedgerOperation, { kind: "release" }>,
  holds: Map<string, Held>,
): SettleStep | undefined {
  const held = takeHeld(holds, hold.requestId);
  if (held === undefined) return undefined;
  return {
    settlement: { ...hold, channelId: 0, charge: undefined, log: undefined, at: held.createdAt },
    heldFromUser: held.user,
    heldFromToken: held.token,
    mostFromUser: 0,
    mostFromToken: 0,
    careful: false,
    lostHold: false,
    budget: hold.budgeted === true ? { marks: [] } : undefined,
    booked: { outcome: { settled: true, charged: 0 }, fromToken: 0 },
  };
}

/** Undefined where somebody else has settled it. */
function settleStep(
  operation: SettleOperation,
  holds: Map<string, Held>,
  { attempt, instanceId }: GroupContext,
): SettleStep | undefined {
  const { settlement, mostFromUser, mostFromToken, holdRow, leased, uncertain, budgetMarks } = operation;
  const held = holdRow === "none" ? undefined : takeHeld(holds, settlement.requestId);
  if (holdRow === "alone" && held === undefined) return undefined;
  const lostHold = holdRow === "must-be" && held === undefined;
  // Who took its process for dead has taken the note away, and charged it.
  const lostNote = holdRow === "may-be" && leased !== undefined && held === undefined;
  return {
    settlement,
    heldFromUser: held?.user ?? 0,
    heldFromToken: held?.token ?? 0,
    mostFromUser,
    mostFromToken,
    careful: uncertain || attempt > 1 || lostHold || lostNote,
    lostHold,
    lease: leased === undefined ? undefined : { instanceId, amount: leased, taken: undefined },
    budget: budgetMarks === undefined ? undefined : { marks: budgetMarks },
    booked: { outcome: { settled: true, charged: 0 }, fromToken: 0 },
  };
}

function idOfHold(operation: LedgerOperation): string[] {
  if (operation.kind === "release") return [operation.hold.requestId];
  return operation.kind === "settle" && operation.holdRow !== "none" ? [operation.settlement.requestId] : [];
}

/** Whoever deletes a hold is the one who gives it back. */
function readHolds(rows: readonly Record<string, unknown>[]): Map<string, Held> {
  return new Map(
    rows.map((row) => [
      String(row["request_id"]),
      { user: Number(row["user_amount"]), token: Number(row["token_amount"]), createdAt: Number(row["created_at"]) },
    ]),
  );
}

/** Reservations that an earlier attempt has committed. */
async function findKept(
  { run, statements }: LedgerTransaction,
  operations: readonly LedgerOperation[],
): Promise<ReadonlySet<string>> {
  const ids = operations.flatMap((operation) =>
    operation.kind === "reserve" ? [operation.reservation.requestId] : [],
  );
  const rows = await statements.findHolds(run, ids);
  return new Set(rows.map((row) => String(row["request_id"])));
}

/** Which reservations know their callers as they are no longer. */
async function findChangedCallers(
  { run, statements }: LedgerTransaction,
  operations: readonly LedgerOperation[],
): Promise<(reservation: Reservation) => boolean> {
  const asked = operations.flatMap((operation) =>
    operation.kind === "reserve" && operation.reservation.callerVersion !== undefined
      ? [operation.reservation.userId]
      : [],
  );
  const versions = await statements.many?.readVersions(run, asked);
  return ({ userId, callerVersion }) =>
    versions !== undefined && callerVersion !== undefined && callerVersion !== (versions.get(userId) ?? 0);
}
