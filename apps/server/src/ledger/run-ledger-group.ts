import type { RunStatement } from "@one-api/database/open-database";
import type { Reservation, ReserveOutcome, Settlement, SettleOutcome } from "./ledger-operation.ts";
import type { LedgerStatements, HoldRow } from "./ledger-statements.ts";
import { reserveForToken, type ReserveStep } from "./reserve-for-token.ts";
import { settleForUser, type SettledRows, type SettleStep } from "./settle-for-user.ts";

/** What waits for a commit of the ledger. */
export type LedgerOperation =
  | { readonly kind: "reserve"; readonly reservation: Reservation }
  | { readonly kind: "settle"; readonly settlement: Settlement };

export type LedgerOutcome =
  | { readonly kind: "reserve"; readonly outcome: ReserveOutcome }
  | { readonly kind: "settle"; readonly outcome: SettleOutcome };

interface UserSteps {
  readonly settles: SettleStep[];
  readonly reserves: Map<number, ReserveStep[]>;
}

/**
 * Runs a group of operations in one transaction. Users are locked in the order of their ids and a user's tokens after the user,
 * so that replicas cannot block each other. From the second attempt on, reservations that an earlier attempt has committed are kept.
 */
export async function runLedgerGroup(
  run: RunStatement,
  statements: LedgerStatements,
  operations: readonly LedgerOperation[],
  context: { readonly attempt: number; readonly instanceId: string },
): Promise<LedgerOutcome[]> {
  const transaction = { run, statements };
  const plan = await planByUser(run, statements, operations, context.attempt);
  const rows: SettledRows = { logs: [], spentByChannel: new Map() };
  const holds: HoldRow[] = [];
  for (const [userId, steps] of [...plan.users].sort(([left], [right]) => left - right)) {
    if (steps.settles.length > 0) await settleForUser(transaction, userId, steps.settles, rows);
    for (const [, ofToken] of [...steps.reserves].sort(([left], [right]) => left - right)) {
      holds.push(...(await reserveForToken(transaction, ofToken, context.instanceId)));
    }
  }
  await statements.insertHolds(run, holds);
  await statements.insertLogs(run, rows.logs);
  for (const [channelId, charged] of [...rows.spentByChannel].sort(([left], [right]) => left - right)) {
    await statements.settleChannel(run, { channelId, charged });
  }
  return plan.outcomes.map((read) => read());
}

interface Plan {
  readonly users: Map<number, UserSteps>;
  /** Reads each operation's outcome, in the order of the operations. */
  readonly outcomes: (() => LedgerOutcome)[];
}

async function planByUser(
  run: RunStatement,
  statements: LedgerStatements,
  operations: readonly LedgerOperation[],
  attempt: number,
): Promise<Plan> {
  const held = await takeHeldReservations(run, statements, operations);
  const kept = attempt > 1 ? await findKeptReservations(run, statements, operations) : new Set<string>();
  const plan: Plan = { users: new Map(), outcomes: [] };
  const stepsOf = (userId: number): UserSteps => {
    const steps = plan.users.get(userId) ?? { settles: [], reserves: new Map<number, ReserveStep[]>() };
    plan.users.set(userId, steps);
    return steps;
  };
  for (const operation of operations) {
    if (operation.kind === "settle") {
      const { settlement } = operation;
      const amounts = held.get(settlement.requestId);
      const step: SettleStep = {
        settlement,
        heldFromUser: amounts?.user ?? 0,
        heldFromToken: amounts?.token ?? 0,
        outcome: { settled: false, charged: 0 },
      };
      if (amounts !== undefined) stepsOf(settlement.userId).settles.push(step);
      plan.outcomes.push(() => ({ kind: "settle", outcome: step.outcome }));
      continue;
    }
    const { reservation } = operation;
    const step: ReserveStep = { reservation, outcome: { ok: true } };
    if (!kept.has(reservation.requestId)) addTo(stepsOf(reservation.userId).reserves, reservation.tokenId, step);
    plan.outcomes.push(() => ({ kind: "reserve", outcome: step.outcome }));
  }
  return plan;
}

function addTo(steps: Map<number, ReserveStep[]>, tokenId: number, step: ReserveStep): void {
  const ofToken = steps.get(tokenId);
  if (ofToken === undefined) steps.set(tokenId, [step]);
  else ofToken.push(step);
}

/** Deletes the reservations that the group settles: whoever deletes the row is the one who settles it. */
async function takeHeldReservations(
  run: RunStatement,
  statements: LedgerStatements,
  operations: readonly LedgerOperation[],
): Promise<Map<string, { user: number; token: number }>> {
  const ids = operations.flatMap((operation) => (operation.kind === "settle" ? [operation.settlement.requestId] : []));
  const held = new Map<string, { user: number; token: number }>();
  for (const row of await statements.deleteHolds(run, ids)) {
    held.set(String(row["request_id"]), { user: Number(row["user_amount"]), token: Number(row["token_amount"]) });
  }
  return held;
}

async function findKeptReservations(
  run: RunStatement,
  statements: LedgerStatements,
  operations: readonly LedgerOperation[],
): Promise<Set<string>> {
  const ids = operations.flatMap((operation) =>
    operation.kind === "reserve" ? [operation.reservation.requestId] : [],
  );
  const rows = await statements.findHolds(run, ids);
  return new Set(rows.map((row) => String(row["request_id"])));
}
