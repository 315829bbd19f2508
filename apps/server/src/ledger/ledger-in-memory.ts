import type { QuotaLedger } from "../core/quota-ledger.ts";
import type { AccountsInMemory } from "./accounts-in-memory.ts";
import type { BudgetMark } from "./budgets/budget.ts";
import { BudgetsInMemory } from "./budgets/budgets-in-memory.ts";
import type { LedgerWriter } from "./commits/commit-groups.ts";
import { CommitQueue, releaseRow } from "./commits/commit-queue.ts";
import { Correctable } from "./correctable.ts";
import { InFlight } from "./in-flight.ts";
import { type CheckpointRow, NO_TOKENS } from "./statements/ledger-statements.ts";
import type {
  Checkpoint,
  Ledger,
  FreeLogRow,
  Payer,
  Reservation,
  ReserveOutcome,
  SettleCallback,
  Settlement,
  SettleOutcome,
} from "./ledger.ts";
import { createQuotaLedger } from "./quota-ledger.ts";

/** A request in flight. */
interface Hold {
  readonly reservation: Reservation;
  /** What is set aside for it. */
  amount: number;
  /** A checkpoint of it may be in the database. */
  noted: boolean;
  /** A settlement failed, and may be committed or not. */
  uncertain: boolean;
  /** In which periods of budgets it counts; undefined where its accounts have none. */
  readonly budgetMarks: readonly BudgetMark[] | undefined;
}

/** A settlement on its way. */
interface Booking {
  readonly settlement: Settlement;
  readonly charge: number;
  /** See `Ledger.settle`. */
  readonly isLate: (() => boolean) | undefined;
}

const HELD: ReserveOutcome = { ok: true };
const NOTHING: SettleOutcome = { settled: false, charged: 0 };
const GIVEN_BACK: SettleOutcome = { settled: true, charged: 0 };

/** The ledger of a process that owns the database alone: what is set aside lives in memory, and a request costs one commit. */
export class LedgerInMemory implements Ledger {
  readonly quota: QuotaLedger;
  readonly #writer: LedgerWriter;
  readonly #queue: CommitQueue;
  readonly #accounts: AccountsInMemory;
  readonly #budgets = new BudgetsInMemory();
  readonly #holds = new InFlight<Hold>();
  readonly #correctable = new Correctable<Hold>();
  #settling = 0;
  /** Set while commits fail: nobody is served then whose charge could not be booked. */
  #isFailing = false;

  constructor(writer: LedgerWriter, accounts: AccountsInMemory) {
    this.#writer = writer;
    this.#accounts = accounts;
    this.#queue = new CommitQueue((group, attempt) => writer.committer.commit(group, attempt));
    this.quota = createQuotaLedger({
      onChange: (account, id) => this.#accounts.changing(account, id),
      onBudgetChange: (userId) => this.#budgets.changing(userId),
    });
  }

  get open(): number {
    return this.#holds.size + this.#settling;
  }

  reserve(reservation: Reservation): ReserveOutcome | Promise<ReserveOutcome> {
    if (reservation.outlivesProcess === true) return this.#reserveKept(reservation);
    if (this.#isFailing) return this.#reserveInRow(reservation);
    if (!this.#knows(reservation)) return this.#know(reservation).then(() => this.reserve(reservation));
    return this.#hold(reservation);
  }

  settle(settlement: Settlement, done: SettleCallback, isLate?: () => boolean): void {
    const { requestId } = settlement;
    const hold = this.#holds.get(requestId) ?? this.#correctable.take(requestId);
    if (hold === undefined) return done(undefined, NOTHING);
    const { reservation } = hold;
    const { charge = 0 } = settlement;
    if (charge > hold.amount && this.#accounts.unknownOf(reservation).length > 0) {
      this.#holds.set(requestId, hold);
      this.#know(reservation).then(
        () => this.settle(settlement, done, isLate),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), undefined),
      );
      return;
    }
    this.#holds.delete(requestId);
    if (settlement.charge === undefined && settlement.log === undefined && !hold.noted && !hold.uncertain) {
      this.#free(hold);
      return done(undefined, GIVEN_BACK);
    }
    this.#commit(hold, { settlement, charge, isLate }, done);
  }

  #commit(hold: Hold, { settlement, charge, isLate }: Booking, done: SettleCallback): void {
    const { reservation, noted, uncertain, amount, budgetMarks } = hold;
    const more = charge > amount ? this.#accounts.holdMore(reservation, charge - amount) : undefined;
    const mostFromUser = amount + (more?.user ?? 0);
    const mostFromToken = amount + (more?.token ?? 0);
    hold.amount = mostFromUser;
    this.#settling += 1;
    const holdRow = noted ? "may-be" : "none";
    this.#queue.add(
      { kind: "settle", settlement, mostFromUser, mostFromToken, holdRow, uncertain, budgetMarks },
      (error, result) => {
        this.#settling -= 1;
        this.#isFailing = result?.kind !== "settle";
        if (result?.kind !== "settle") {
          hold.uncertain = true;
          this.#holds.set(settlement.requestId, hold);
          return done(error ?? new Error("A settlement has no outcome."), undefined);
        }
        this.#accounts.free(reservation, mostFromUser);
        if (budgetMarks !== undefined) this.#budgets.end(reservation, settlement.requestId, result.outcome.charged);
        if (uncertain) {
          // What was read meanwhile may hold what an earlier try took, or not.
          this.#accounts.changingOf(reservation);
          this.#budgets.changing(reservation.userId);
        } else this.#accounts.spend(reservation, result.outcome.charged, result.fromToken);
        if (uncertain || isLate?.() === true)
          this.#correctable.keep(settlement.requestId, { ...hold, amount: 0, uncertain: true });
        done(undefined, result.outcome);
      },
    );
  }

  async settleKept(settlement: Settlement, held: number): Promise<SettleOutcome> {
    await this.#know(settlement);
    const { charge = 0 } = settlement;
    const more = charge > held ? this.#accounts.holdMore(settlement, charge - held) : { user: 0, token: 0 };
    const most = { mostFromUser: held + more.user, mostFromToken: held + more.token };
    this.#settling += 1;
    try {
      const operation = { kind: "settle", settlement, ...most, holdRow: "alone", uncertain: false } as const;
      const result = await this.#queue.run({ ...operation, budgetMarks: [] });
      if (result.kind !== "settle") throw new Error("The ledger mixed up its outcomes.");
      return result.outcome;
    } finally {
      this.#settling -= 1;
      this.#readAgain(settlement);
      this.#accounts.free(settlement, more.user);
    }
  }

  release({ requestId }: Pick<Reservation, "requestId">): void | Promise<void> {
    const hold = this.#holds.get(requestId);
    if (hold === undefined) return;
    this.#holds.delete(requestId);
    this.#free(hold);
    if (hold.noted) return releaseRow(this.#queue, hold.reservation);
  }

  async checkpoint(checkpoints: readonly Checkpoint[]): Promise<void> {
    const rows: CheckpointRow[] = [];
    for (const checkpoint of checkpoints) {
      const hold = this.#holds.get(checkpoint.requestId);
      if (hold === undefined) continue;
      hold.noted = true;
      rows.push(toRow(hold.reservation, checkpoint));
    }
    if (rows.length > 0) await this.#writeRows(rows);
  }

  writeLogs(rows: readonly FreeLogRow[]): Promise<void> {
    return this.#writer.writeLogs(rows);
  }

  available(payer: Payer, time: number): number | Promise<number> {
    if (!this.#knows(payer)) return this.#know(payer).then(() => this.available(payer, time));
    const available = this.#accounts.available(payer);
    return payer.budgeted === true ? Math.min(available, this.#budgets.left(payer, time)) : available;
  }

  async close(): Promise<void> {
    await this.#queue.close();
    await this.#writer.committer.close();
  }

  #knows(payer: Payer): boolean {
    return this.#accounts.unknownOf(payer).length === 0 && (payer.budgeted !== true || this.#budgets.knows(payer));
  }

  #free({ reservation, amount, budgetMarks }: Hold): void {
    this.#accounts.free(reservation, amount);
    if (budgetMarks !== undefined) this.#budgets.end(reservation, reservation.requestId, 0);
  }

  /** Whoever awaits it looks again: what is known may be forgotten before they go on. */
  async #know(payer: Payer): Promise<void> {
    for (;;) {
      if (payer.budgeted === true && !this.#budgets.knows(payer)) await this.#readBudgets(payer);
      const unknown = this.#accounts.unknownOf(payer);
      if (unknown.length === 0 && this.#knows(payer)) return;
      await Promise.all(
        unknown.map(async (account) => {
          const id = account === "user" ? payer.userId : payer.tokenId;
          const tell = this.#accounts.reading(account, id);
          const read = await this.#queue.run({ kind: "read", account, id });
          if (read.kind === "read") tell(read.remaining);
        }),
      );
    }
  }

  async #readBudgets(payer: Payer): Promise<void> {
    const tell = this.#budgets.reading(payer);
    const { userId, tokenId } = payer;
    const read = await this.#queue.run({ kind: "read-budgets", userId, tokenId });
    if (read.kind === "read-budgets") tell(read.budgets);
  }

  #hold(reservation: Reservation): ReserveOutcome {
    const { requestId, amount, createdAt, budgeted } = reservation;
    if (this.#holds.has(requestId)) throw new Error(`Quota is set aside for request ${requestId} already.`);
    const refusal = this.#accounts.hold(reservation, amount);
    if (refusal !== undefined) return { ok: false, refusal };
    let budgetMarks: readonly BudgetMark[] | undefined;
    if (budgeted === true) {
      const budgetRefusal = this.#budgets.hold(reservation, requestId, amount, createdAt);
      if (budgetRefusal !== undefined) {
        this.#accounts.free(reservation, amount);
        return { ok: false, ...budgetRefusal };
      }
      budgetMarks = this.#budgets.marksOf(reservation, requestId);
    }
    this.#holds.set(requestId, { reservation, amount, noted: false, uncertain: false, budgetMarks });
    return HELD;
  }

  /** Sets aside in memory first, so that no other request takes it, and then in a row that is taken from the balance. */
  async #reserveKept(reservation: Reservation): Promise<ReserveOutcome> {
    while (!this.#knows(reservation)) await this.#know(reservation);
    const outcome = this.#hold(reservation);
    const { requestId } = reservation;
    const hold = this.#holds.get(requestId);
    if (!outcome.ok || hold === undefined) return outcome;
    try {
      const result = await this.#queue.run({ kind: "reserve", reservation });
      return result.kind === "reserve" ? result.outcome : outcome;
    } finally {
      this.#readAgain(reservation);
      this.#holds.delete(requestId);
      this.#free(hold);
    }
  }

  /** What the database holds of these accounts has changed, or may have. */
  #readAgain(payer: Payer): void {
    this.#accounts.changingOf(payer);
    this.#budgets.changing(payer.userId);
  }

  /** While commits fail, one must succeed before the request is served. */
  async #reserveInRow(reservation: Reservation): Promise<ReserveOutcome> {
    while (!this.#knows(reservation)) await this.#know(reservation);
    const outcome = this.#hold(reservation);
    const { requestId } = reservation;
    const hold = this.#holds.get(requestId);
    if (!outcome.ok || hold === undefined) return outcome;
    hold.noted = true;
    try {
      await this.#writeRows([toRow(reservation, { requestId, channelId: 0, delivered: 0 })]);
    } catch (error) {
      this.#holds.delete(requestId);
      this.#free(hold);
      throw error;
    }
    return outcome;
  }

  async #writeRows(rows: readonly CheckpointRow[]): Promise<void> {
    try {
      await this.#queue.run({ kind: "checkpoint", rows });
      this.#isFailing = false;
    } catch (error) {
      this.#isFailing = true;
      throw error;
    }
  }
}

/** A checkpoint as a row; it holds nothing, as its quota is set aside in memory. */
function toRow(reservation: Reservation, { channelId, delivered, log = NO_TOKENS }: Checkpoint): CheckpointRow {
  return {
    request_id: reservation.requestId,
    user_id: reservation.userId,
    token_id: reservation.tokenId,
    token_unlimited: reservation.tokenUnlimited ? 1 : 0,
    user_amount: 0,
    token_amount: 0,
    delivered_quota: delivered,
    channel_id: channelId,
    instance_id: "",
    created_at: reservation.createdAt,
    ...log,
  };
}
