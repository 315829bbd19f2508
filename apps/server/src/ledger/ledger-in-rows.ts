import type { QuotaLedger } from "../core/quota-ledger.ts";
import { awaitDatabase, DATABASE_SILENT_MS } from "../core/database/await-database.ts";
import type { LedgerWriter } from "./commits/commit-groups.ts";
import { CommitQueue, releaseRow } from "./commits/commit-queue.ts";
import { Correctable } from "./correctable.ts";
import { budgetAt, leftOf } from "./budgets/budget.ts";
import { InFlight } from "./in-flight.ts";
import type { Instance } from "./instance.ts";
import type { Lease } from "./leases/lease-book.ts";
import type { QuotaLeases } from "./leases/quota-leases.ts";
import type {
  Checkpoint,
  Ledger,
  Payer,
  Reservation,
  ReserveOutcome,
  SettleCallback,
  Settlement,
  SettleOutcome,
} from "./ledger.ts";
import { createQuotaLedger } from "./quota-ledger.ts";
import { toRow } from "./commits/reserve-for-users.ts";
import type { LedgerOperation, LedgerOutcome } from "./commits/run-ledger-group.ts";
import { type CheckpointRow, NO_TOKENS } from "./statements/ledger-statements.ts";

/** A request in flight. */
interface Hold {
  /** A settlement failed, and may be committed or not. */
  uncertain: boolean;
  readonly budgeted: boolean;
  /** What its row holds. */
  readonly held: { readonly user: number; readonly token: number };
  /** What pays for it in the place of a row; `amount` of that is its own. */
  readonly leased?: { readonly lease: Lease; readonly reservation: Reservation; isNoted: boolean } | undefined;
}

/** How long the database is waited for, in ms. */
export interface LedgerWaits {
  /** After so long the server has given up a statement whose connection broke. */
  readonly lateMs: number;
  /** A caller whose reservation has no answer for so long is told so. */
  readonly silentMs: number;
}

/** A statement costs as much as what a dozen requests change: with 64 callers fewer statements are less work and shorter waits. In ms. */
const GATHER_MS = 1;

const WAITS: LedgerWaits = { lateMs: 15_000, silentMs: DATABASE_SILENT_MS };

/** What a ledger in rows is made from. */
export interface RowsParts {
  readonly writer: LedgerWriter;
  readonly instance: Instance;
  readonly leases: QuotaLeases;
  readonly waits?: LedgerWaits | undefined;
}

/**
 * The ledger of a process that shares its database with others: what is set aside is a row, taken from the balance and fenced by instance, or part of
 * what was set aside in advance for callers who come again (`leases/`).
 */
export class LedgerInRows implements Ledger {
  readonly quota: QuotaLedger;
  readonly writeLogs: LedgerWriter["writeLogs"];
  readonly #writer: LedgerWriter;
  readonly #instance: Instance;
  readonly #leases: QuotaLeases;
  readonly #waits: LedgerWaits;
  readonly #queue: CommitQueue;
  readonly #holds = new InFlight<Hold>();
  readonly #correctable = new Correctable<Hold>();
  #settling = 0;

  constructor({ writer, instance, leases, waits = WAITS }: RowsParts) {
    this.#writer = writer;
    this.#instance = instance;
    this.#leases = leases;
    this.#waits = waits;
    this.#queue = new CommitQueue(async (group, attempt) => {
      if (group.some(({ kind }) => kind === "reserve")) await instance.ensureAlive();
      return writer.committer.commit(group, attempt);
    }, GATHER_MS);
    this.quota = createQuotaLedger({ recall: (userId) => leases.recall(userId) });
    this.writeLogs = writer.writeLogs;
  }

  get open(): number {
    return this.#holds.size + this.#settling;
  }

  reserve(reservation: Reservation): ReserveOutcome | Promise<ReserveOutcome> {
    if (reservation.amount > MOST_RESERVED) return { ok: false, refusal: "user-quota" };
    const lease = this.#leases.hold(reservation);
    if (lease === undefined) return this.#reserve(reservation);
    const leased = { lease, reservation, isNoted: false };
    this.#holds.set(reservation.requestId, { uncertain: false, budgeted: false, held: NOTHING, leased });
    return HELD;
  }

  settle(settlement: Settlement, done: SettleCallback, isLate?: () => boolean): void {
    const { requestId } = settlement;
    const hold = this.#holds.get(requestId) ?? this.#correctable.take(requestId);
    if (hold === undefined) {
      const nothing = () => done(undefined, { settled: false, charged: 0 });
      // A reservation that failed may have left its row.
      if (settlement.charge === undefined) void releaseRow(this.#queue, settlement).then(nothing);
      else nothing();
      return;
    }
    this.#holds.delete(requestId);
    if (isNothing(settlement, hold)) {
      this.#giveBack(hold);
      return queueMicrotask(() => done(undefined, { settled: true, charged: 0 }));
    }
    this.#settling += 1;
    this.#queue.add(settleOperation(settlement, hold), (error, result) => {
      this.#settling -= 1;
      const settled = result?.kind === "settle" ? result : undefined;
      this.#noteSettled(requestId, hold, settled);
      if (settled?.outcome.settled === true && (hold.uncertain || isLate?.() === true))
        this.#correctable.keep(requestId, { ...hold, uncertain: true, leased: undefined });
      if (settled === undefined) done(error ?? new Error("A settlement has no outcome."), undefined);
      else done(undefined, settled.outcome);
    });
  }

  async settleKept(settlement: Settlement): Promise<SettleOutcome> {
    this.#settling += 1;
    try {
      return await settleKept(this.#queue, settlement);
    } finally {
      this.#settling -= 1;
    }
  }

  release({ requestId, ...payer }: Payer & { readonly requestId: string }): void | Promise<void> {
    const hold = this.#holds.get(requestId);
    this.#holds.delete(requestId);
    if (hold !== undefined) this.#giveBack(hold);
    if (hold?.leased?.isNoted !== false) return releaseRow(this.#queue, { requestId, ...payer });
  }

  async checkpoint(checkpoints: readonly Checkpoint[]): Promise<void> {
    const notes: CheckpointRow[] = [];
    const ofRows = checkpoints.filter((checkpoint) => {
      const hold = this.#holds.get(checkpoint.requestId);
      if (hold?.leased === undefined) return hold !== undefined;
      hold.leased.isNoted = true;
      notes.push(noteOf(hold.leased.reservation, checkpoint, this.#instance.id()));
      return false;
    });
    await Promise.all([
      ofRows.length > 0 && this.#writer.updateCheckpoints(ofRows),
      notes.length > 0 && this.#queue.run({ kind: "checkpoint", rows: notes }),
    ]);
  }

  async available(payer: Payer, time: number): Promise<number> {
    const { user, token } = await readBoth(this.#queue, payer);
    return Math.min(user, token, payer.budgeted === true ? await readLeft(this.#queue, payer, time) : user);
  }

  async close(): Promise<void> {
    await this.#queue.close();
    await this.#writer.committer.close();
  }

  /** By a row. Where a balance falls short, what is set aside in advance of it and nobody needs is had back first. */
  async #reserve(reservation: Reservation): Promise<ReserveOutcome> {
    const outcome = await this.#reserveRow(reservation);
    const isShort = !outcome.ok && (outcome.refusal === "user-quota" || outcome.refusal === "token-quota");
    return isShort && (await this.#leases.recall(reservation.userId)) ? this.#reserveRow(reservation) : outcome;
  }

  async #reserveRow(reservation: Reservation): Promise<ReserveOutcome> {
    const { changes } = this.#leases;
    const hasRow = (requestId: string): boolean => {
      const hold = this.#holds.get(requestId);
      return hold !== undefined && hold.leased === undefined;
    };
    const result = await reserveOrGiveBack(this.#queue, reservation, { hasRow, ...this.#waits });
    if (result.kind !== "reserve") throw new Error("The ledger mixed up its outcomes.");
    if (result.outcome.ok) {
      this.#leases.noteReserved(reservation, changes);
      if (reservation.outlivesProcess !== true) this.#holds.set(reservation.requestId, holdOf(reservation));
    }
    return result.outcome;
  }

  #noteSettled(requestId: string, hold: Hold, settled: Extract<LedgerOutcome, { kind: "settle" }> | undefined): void {
    if (hold.leased !== undefined && settled === undefined) this.#leases.doubt(hold.leased.lease);
    if (settled?.outcome.settled !== true) {
      hold.uncertain = true;
      this.#holds.set(requestId, hold);
      return;
    }
    this.#giveBack(hold, settled.fromLease);
  }

  /** What a lease paid for needs it no longer; `used` of it paid for the charge itself. */
  #giveBack({ leased }: Hold, used = 0): void {
    if (leased === undefined) return;
    if (used > 0) this.#leases.noteUsed(leased.lease, used);
    this.#leases.free(leased.lease, leased.reservation.amount);
  }
}

/**
 * What nobody waits for any more is given back as soon as it is known. A statement whose connection broke may still be under way when its row is
 * looked for and not found: it is looked for once more, unless the request has reserved anew.
 */
async function reserveOrGiveBack(
  queue: CommitQueue,
  reservation: Reservation,
  { hasRow, lateMs, silentMs }: { readonly hasRow: (requestId: string) => boolean } & LedgerWaits,
) {
  const reserving = queue.run({ kind: "reserve", reservation });
  if (reservation.outlivesProcess === true) return reserving;
  try {
    return await awaitDatabase(reserving, silentMs);
  } catch (error) {
    const giveBack = (): void => {
      if (!hasRow(reservation.requestId)) void releaseRow(queue, reservation);
    };
    reserving.then(giveBack, () => setTimeout(giveBack, lateMs).unref());
    throw error;
  }
}

/**
 * No request costs so much: some $35 million in quota. A whole group of such sums is still a number that is stored exactly, so that none keeps others from
 * their commit.
 */
const MOST_RESERVED = 2 ** 44;

const HELD = { ok: true } as const;
const NOTHING = { user: 0, token: 0 } as const;
const MOST = { mostFromUser: Number.MAX_SAFE_INTEGER, mostFromToken: Number.MAX_SAFE_INTEGER } as const;

/** Nothing was delivered, there is nothing to tell and no row that has to go. */
function isNothing({ charge, log }: Settlement, { leased, uncertain }: Hold): boolean {
  return charge === undefined && log === undefined && leased?.isNoted === false && !uncertain;
}

function settleOperation(
  settlement: Settlement,
  { uncertain, budgeted, held, leased }: Hold,
): Extract<LedgerOperation, { kind: "settle" }> {
  // Where it counts in budgets stands in its rows.
  const budgetMarks = budgeted ? [] : undefined;
  const operation = { kind: "settle", settlement, ...MOST, held, uncertain, budgetMarks } as const;
  if (leased === undefined) return { ...operation, holdRow: "must-be" };
  return { ...operation, holdRow: leased.isNoted ? "may-be" : "none", leased: leased.reservation.amount };
}

/** A checkpoint of what a lease pays for, as a row; it holds nothing itself. */
function noteOf(
  reservation: Reservation,
  { channelId, delivered, log = NO_TOKENS }: Checkpoint,
  instanceId: string,
): CheckpointRow {
  const row = toRow({ ...reservation, amount: 0 }, instanceId);
  return { ...row, channel_id: channelId, delivered_quota: delivered, ...log };
}

function holdOf({ amount, tokenUnlimited, budgeted }: Reservation): Hold {
  return {
    uncertain: false,
    budgeted: budgeted === true,
    held: { user: amount, token: tokenUnlimited ? 0 : amount },
  };
}

async function settleKept(queue: CommitQueue, settlement: Settlement): Promise<SettleOutcome> {
  const operation = { kind: "settle", settlement, ...MOST, holdRow: "alone", uncertain: false } as const;
  const result = await queue.run({ ...operation, budgetMarks: [] });
  if (result.kind !== "settle") throw new Error("The ledger mixed up its outcomes.");
  return result.outcome;
}

async function readBoth(queue: CommitQueue, { userId, tokenId, tokenUnlimited }: Payer) {
  const read = async (account: "user" | "token", id: number) => {
    const result = await queue.run({ kind: "read", account, id });
    return result.kind === "read" ? result.remaining : 0;
  };
  const user = read("user", userId);
  return { user: await user, token: tokenUnlimited ? Number.MAX_SAFE_INTEGER : await read("token", tokenId) };
}

/** What the payer's budgets leave at the time. */
async function readLeft(queue: CommitQueue, { userId, tokenId }: Payer, time: number): Promise<number> {
  const result = await queue.run({ kind: "read-budgets", userId, tokenId });
  const budgets = result.kind === "read-budgets" ? result.budgets : [];
  return Math.min(Number.MAX_SAFE_INTEGER, ...budgets.map((budget) => leftOf(budgetAt(budget, time))));
}
