import type { QuotaLedger } from "../core/quota-ledger.ts";
import { AccountsInMemory } from "./accounts-in-memory.ts";
import type { LedgerWriter } from "./commit-groups.ts";
import { CommitQueue, releaseRow } from "./commit-queue.ts";
import { Correctable } from "./correctable.ts";
import type { HoldRow } from "./ledger-statements.ts";
import type {
  Checkpoint,
  Ledger,
  LogRow,
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
}

const HELD: ReserveOutcome = { ok: true };
const NOTHING: SettleOutcome = { settled: false, charged: 0 };
const GIVEN_BACK: SettleOutcome = { settled: true, charged: 0 };

/** The ledger of a process that owns the database alone: what is set aside lives in memory, and a request costs one commit. */
export class LedgerInMemory implements Ledger {
  readonly quota: QuotaLedger;
  readonly #writer: LedgerWriter;
  readonly #queue: CommitQueue;
  readonly #accounts = new AccountsInMemory();
  readonly #holds = new Map<string, Hold>();
  readonly #correctable = new Correctable<Hold>();
  #settling = 0;
  /** Set while commits fail: nobody is served then whose charge could not be booked. */
  #isFailing = false;

  constructor(writer: LedgerWriter) {
    this.#writer = writer;
    this.#queue = new CommitQueue((group, attempt) => writer.committer.commit(group, attempt));
    this.quota = createQuotaLedger((account, id) => this.#accounts.changing(account, id));
  }

  get open(): number {
    return this.#holds.size + this.#settling;
  }

  reserve(reservation: Reservation): ReserveOutcome | Promise<ReserveOutcome> {
    if (this.#isFailing) return this.#reserveInRow(reservation);
    if (this.#accounts.unknownOf(reservation).length > 0)
      return this.#know(reservation).then(() => this.#hold(reservation));
    return this.#hold(reservation);
  }

  settle(settlement: Settlement, done: SettleCallback): void {
    const { requestId } = settlement;
    const hold = this.#holds.get(requestId) ?? this.#correctable.take(requestId);
    if (hold === undefined) return done(undefined, NOTHING);
    const { reservation } = hold;
    const { charge = 0 } = settlement;
    if (charge > hold.amount && this.#accounts.unknownOf(reservation).length > 0) {
      this.#holds.set(requestId, hold);
      this.#know(reservation).then(
        () => this.settle(settlement, done),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), undefined),
      );
      return;
    }
    this.#holds.delete(requestId);
    if (settlement.charge === undefined && settlement.log === undefined && !hold.noted && !hold.uncertain) {
      this.#accounts.free(reservation, hold.amount);
      return done(undefined, GIVEN_BACK);
    }
    this.#commit(hold, settlement, charge, done);
  }

  #commit(hold: Hold, settlement: Settlement, charge: number, done: SettleCallback): void {
    const { reservation, noted, uncertain, amount } = hold;
    const more = charge > amount ? this.#accounts.holdMore(reservation, charge - amount) : undefined;
    const mostFromUser = amount + (more?.user ?? 0);
    const mostFromToken = amount + (more?.token ?? 0);
    hold.amount = mostFromUser;
    this.#settling += 1;
    const holdRow = noted ? "may-be" : "none";
    this.#queue.add(
      { kind: "settle", settlement, mostFromUser, mostFromToken, holdRow, uncertain },
      (error, result) => {
        this.#settling -= 1;
        this.#isFailing = result?.kind !== "settle";
        if (result?.kind !== "settle") {
          hold.uncertain = true;
          this.#holds.set(settlement.requestId, hold);
          return done(error ?? new Error("A settlement has no outcome."), undefined);
        }
        this.#accounts.free(reservation, mostFromUser);
        if (uncertain) {
          // What was read meanwhile may hold what an earlier try took, or not.
          this.#accounts.changingOf(reservation);
          this.#correctable.keep(settlement.requestId, { ...hold, amount: 0 });
        } else this.#accounts.spend(reservation, result.outcome.charged, result.fromToken);
        done(undefined, result.outcome);
      },
    );
  }

  release({ requestId }: Pick<Reservation, "requestId">): void | Promise<void> {
    const hold = this.#holds.get(requestId);
    if (hold === undefined) return;
    this.#holds.delete(requestId);
    this.#accounts.free(hold.reservation, hold.amount);
    if (hold.noted) return releaseRow(this.#queue, hold.reservation);
  }

  async checkpoint(checkpoints: readonly Checkpoint[]): Promise<void> {
    const rows: HoldRow[] = [];
    for (const checkpoint of checkpoints) {
      const hold = this.#holds.get(checkpoint.requestId);
      if (hold === undefined) continue;
      hold.noted = true;
      rows.push(toRow(hold.reservation, checkpoint));
    }
    if (rows.length > 0) await this.#writeRows(rows);
  }

  writeLogs(rows: readonly LogRow[]): Promise<void> {
    return this.#writer.writeLogs(rows);
  }

  available(payer: Payer): number | Promise<number> {
    if (this.#accounts.unknownOf(payer).length > 0)
      return this.#know(payer).then(() => this.#accounts.available(payer));
    return this.#accounts.available(payer);
  }

  async close(): Promise<void> {
    await this.#queue.idle();
    await this.#writer.committer.close();
  }

  async #know(payer: Payer): Promise<void> {
    for (;;) {
      const unknown = this.#accounts.unknownOf(payer);
      if (unknown.length === 0) return;
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

  #hold(reservation: Reservation): ReserveOutcome {
    const { requestId, amount } = reservation;
    if (this.#holds.has(requestId)) throw new Error(`Quota is set aside for request ${requestId} already.`);
    const refusal = this.#accounts.hold(reservation, amount);
    if (refusal !== undefined) return { ok: false, refusal };
    this.#holds.set(requestId, { reservation, amount, noted: false, uncertain: false });
    return HELD;
  }

  /** While commits fail, one must succeed before the request is served. */
  async #reserveInRow(reservation: Reservation): Promise<ReserveOutcome> {
    await this.#know(reservation);
    const outcome = this.#hold(reservation);
    const { requestId } = reservation;
    const hold = this.#holds.get(requestId);
    if (!outcome.ok || hold === undefined) return outcome;
    hold.noted = true;
    try {
      await this.#writeRows([toRow(reservation, { requestId, channelId: 0, delivered: 0 })]);
    } catch (error) {
      this.#holds.delete(requestId);
      this.#accounts.free(reservation, hold.amount);
      throw error;
    }
    return outcome;
  }

  async #writeRows(rows: readonly HoldRow[]): Promise<void> {
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
function toRow(reservation: Reservation, { channelId, delivered }: Checkpoint): HoldRow {
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
  };
}
