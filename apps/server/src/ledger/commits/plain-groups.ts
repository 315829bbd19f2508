import { UnmetConditionError } from "@one-api/database/database-errors";
import type { RunStatement } from "@one-api/database/open-database";
import { addUp, type BookedRows, inOrder, keepRow, type SettleStep } from "./book-settlements.ts";
import type { HoldRow } from "../statements/ledger-statements.ts";
import type { Reservation } from "../ledger.ts";
import { toRow } from "./reserve-for-users.ts";
import type { LedgerOperation, LedgerOutcome, SettleOperation } from "./run-ledger-group.ts";
import {
  GROUP_STATEMENT,
  groupParameters,
  type KnownCaller,
  type TokenChange,
  type UserChange,
} from "../statements/group-statement.ts";

type ReserveOperation = Extract<LedgerOperation, { kind: "reserve" }>;
type PlainSettle = SettleOperation & { readonly held: NonNullable<SettleOperation["held"]> };

/** What the plain operations of a group do. */
interface Plan {
  readonly settles: Map<number, SettleStep[]>;
  readonly reserves: Map<number, Reservation[]>;
  /** Reads each operation's outcome, by its place in the group; undefined for what is not plain. */
  readonly outcomes: ((() => LedgerOutcome) | undefined)[];
}

/** So many users are remembered whose balance was short; then all are forgotten, which costs each of their groups a try. */
const MOST_SHORT = 10_000;

/**
 * Commits what is plain in groups with one statement each: reservations and settlements that the balances cover, without budgets, of which no
 * earlier try may be committed. All of it is booked, or nothing is.
 */
export class PlainGroups {
  readonly #run: RunStatement;
  readonly #instanceId: () => string;
  /** Users whose last reservation was refused: most likely the next one is too, and it would keep a group from its one statement. */
  readonly #short = new Set<number>();

  constructor(run: RunStatement, instanceId: () => string) {
    this.#run = run;
    this.#instanceId = instanceId;
  }

  /** Returns the outcomes of what is booked and committed, in the order of the group; undefined for everything else. */
  async commit(group: readonly LedgerOperation[]): Promise<(LedgerOutcome | undefined)[]> {
    const plan = planPlain(
      group.map((operation) => (this.#isPlain(operation) ? operation : undefined)),
      this.#instanceId(),
    );
    if (plan.settles.size + plan.reserves.size === 0) return group.map(() => undefined);
    try {
      await this.#run(GROUP_STATEMENT, groupParameters(changesOf(plan, this.#instanceId())));
    } catch (error) {
      if (error instanceof UnmetConditionError) return group.map(() => undefined);
      throw error;
    }
    return plan.outcomes.map((outcome) => outcome?.());
  }

  /** Learns from what was not plain. */
  note(operation: LedgerOperation, outcome: LedgerOutcome | undefined): void {
    if (operation.kind !== "reserve" || outcome?.kind !== "reserve") return;
    if (outcome.outcome.ok) this.#short.delete(operation.reservation.userId);
    else if (outcome.outcome.refusal !== "caller-changed") {
      if (this.#short.size >= MOST_SHORT) this.#short.clear();
      this.#short.add(operation.reservation.userId);
    }
  }

  #isPlain(operation: LedgerOperation): operation is ReserveOperation | PlainSettle {
    if (operation.kind === "reserve") {
      const { budgeted, outlivesProcess, userId } = operation.reservation;
      return budgeted !== true && outlivesProcess !== true && !this.#short.has(userId);
    }
    if (operation.kind !== "settle" || operation.uncertain || operation.budgetMarks !== undefined) return false;
    const { holdRow, held, leased } = operation;
    return held !== undefined && holdRow === (leased === undefined ? "must-be" : "none");
  }
}

function planPlain(operations: readonly (ReserveOperation | PlainSettle | undefined)[], instanceId: string): Plan {
  const plan: Plan = { settles: new Map(), reserves: new Map(), outcomes: [] };
  for (const operation of operations) {
    if (operation === undefined) plan.outcomes.push(undefined);
    else if (operation.kind === "reserve") {
      addTo(plan.reserves, operation.reservation.userId, operation.reservation);
      plan.outcomes.push(() => ({ kind: "reserve", outcome: { ok: true } }));
    } else {
      const step = stepOf(operation, instanceId);
      addTo(plan.settles, operation.settlement.userId, step);
      plan.outcomes.push(() => ({ kind: "settle", ...step.booked, fromLease: 0 }));
    }
  }
  return plan;
}

function addTo<Value>(map: Map<number, Value[]>, id: number, value: Value): void {
  const values = map.get(id);
  if (values === undefined) map.set(id, [value]);
  else values.push(value);
}

function stepOf(
  { settlement, held, leased, mostFromUser, mostFromToken }: PlainSettle,
  instanceId: string,
): SettleStep {
  return {
    settlement,
    heldFromUser: held.user,
    heldFromToken: held.token,
    mostFromUser,
    mostFromToken,
    careful: false,
    lostHold: false,
    lease: leased === undefined ? undefined : { instanceId, amount: leased, taken: undefined },
    booked: { outcome: { settled: true, charged: 0 }, fromToken: 0 },
  };
}

function changesOf({ settles, reserves }: Plan, instanceId: string) {
  const users = new Map<number, UserChange>();
  const tokens = new Map<number, TokenChange>();
  const rows: BookedRows = { usage: [], spentByChannel: new Map() };
  const ended: string[] = [];
  for (const [userId, steps] of settles) {
    const { held, charged, requests, tokens: ofTokens } = addUp(steps);
    users.set(userId, { id: userId, net: held - charged, charged, requests });
    for (const [id, token] of ofTokens)
      tokens.set(id, { id, net: token.held - token.taken, charged: token.charged, at: token.at });
    for (const step of steps) {
      if (step.lease === undefined) ended.push(step.settlement.requestId);
      keepRow(rows, step);
    }
  }
  const holds: HoldRow[] = [];
  const callers: KnownCaller[] = [];
  for (const [userId, ofUser] of reserves) {
    for (const reservation of ofUser) {
      const { tokenId: id, tokenUnlimited, amount, callerVersion: version } = reservation;
      if (version !== undefined) callers.push({ userId, version });
      holds.push(toRow(reservation, instanceId));
      const user = users.get(userId) ?? { id: userId, net: 0, charged: 0, requests: 0 };
      users.set(userId, { ...user, net: user.net - amount });
      if (tokenUnlimited) continue;
      const token = tokens.get(id) ?? { id, net: 0, charged: 0, at: 0 };
      tokens.set(id, { ...token, net: token.net - amount });
    }
  }
  return {
    users: inOrder(users).map(([, user]) => user),
    tokens: inOrder(tokens).map(([, token]) => token),
    ended,
    holds,
    usage: rows.usage,
    spentByChannel: inOrder(rows.spentByChannel),
    callers,
    // What is only set aside need not be on disk.
    durability: settles.size === 0 ? ("in-order" as const) : ("on-disk" as const),
  };
}
