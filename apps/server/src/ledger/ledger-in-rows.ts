import { awaitDatabase, DATABASE_SILENT_MS } from "../core/await-database.ts";
import type { LedgerWriter } from "./commit-groups.ts";
import { CommitQueue, releaseRow } from "./commit-queue.ts";
import { Correctable } from "./correctable.ts";
import { budgetAt, leftOf } from "./budgets/budget.ts";
import { InFlight } from "./in-flight.ts";
import type { Instance } from "./instance.ts";
import type { Ledger, Payer, Reservation, SettleCallback, Settlement, SettleOutcome } from "./ledger.ts";
import { createQuotaLedger } from "./quota-ledger.ts";

/** A request in flight. */
interface Hold {
  /** A settlement failed, and may be committed or not. */
  uncertain: boolean;
  readonly budgeted: boolean;
  /** What its row holds. */
  readonly held: { readonly user: number; readonly token: number };
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

/** The ledger of a process that shares its database with others: what is set aside is a row, taken from the balance and fenced by instance. */
export function createLedgerInRows(writer: LedgerWriter, instance: Instance, waits: LedgerWaits = WAITS): Ledger {
  const queue = new CommitQueue(async (group, attempt) => {
    if (group.some(({ kind }) => kind === "reserve")) await instance.ensureAlive();
    return writer.committer.commit(group, attempt);
  }, GATHER_MS);
  const holds = new InFlight<Hold>();
  const correctable = new Correctable<Hold>();
  let settling = 0;

  const settle = (settlement: Settlement, done: SettleCallback): void => {
    const hold = holds.get(settlement.requestId) ?? correctable.take(settlement.requestId);
    if (hold === undefined) {
      const nothing = () => done(undefined, { settled: false, charged: 0 });
      // A reservation that failed may have left its row.
      if (settlement.charge === undefined) void releaseRow(queue, settlement).then(nothing);
      else nothing();
      return;
    }
    holds.delete(settlement.requestId);
    const most = { mostFromUser: Number.MAX_SAFE_INTEGER, mostFromToken: Number.MAX_SAFE_INTEGER };
    const { uncertain, held } = hold;
    settling += 1;
    // Where it counts stands in its rows.
    const budgetMarks = hold.budgeted ? [] : undefined;
    const operation = {
      kind: "settle",
      settlement,
      ...most,
      holdRow: "must-be",
      held,
      uncertain,
      budgetMarks,
    } as const;
    queue.add(operation, (error, result) => {
      settling -= 1;
      const outcome = result?.kind === "settle" ? result.outcome : undefined;
      if (outcome?.settled !== true) {
        hold.uncertain = true;
        holds.set(settlement.requestId, hold);
      } else if (uncertain) correctable.keep(settlement.requestId, hold);
      if (outcome === undefined) done(error ?? new Error("A settlement has no outcome."), undefined);
      else done(undefined, outcome);
    });
  };

  return {
    async reserve(reservation) {
      const result = await reserveOrGiveBack(queue, reservation, { holds, ...waits });
      if (result.kind !== "reserve") throw new Error("The ledger mixed up its outcomes.");
      if (result.outcome.ok && reservation.outlivesProcess !== true)
        holds.set(reservation.requestId, holdOf(reservation));
      return result.outcome;
    },
    settle,
    async settleKept(settlement) {
      settling += 1;
      try {
        return await settleKept(queue, settlement);
      } finally {
        settling -= 1;
      }
    },
    async release(hold) {
      holds.delete(hold.requestId);
      await releaseRow(queue, hold);
    },
    async checkpoint(checkpoints) {
      await writer.updateCheckpoints(checkpoints.filter(({ requestId }) => holds.has(requestId)));
    },
    writeLogs: writer.writeLogs,
    async available(payer, time) {
      const { user, token } = await readBoth(queue, payer);
      return Math.min(user, token, payer.budgeted === true ? await readLeft(queue, payer, time) : user);
    },
    get open() {
      return holds.size + settling;
    },
    quota: createQuotaLedger(),
    async close() {
      await queue.close();
      await writer.committer.close();
    },
  };
}

/**
 * What nobody waits for any more is given back as soon as it is known. A statement whose connection broke may still be under way when its row is
 * looked for and not found: it is looked for once more, unless the request has reserved anew.
 */
async function reserveOrGiveBack(
  queue: CommitQueue,
  reservation: Reservation,
  { holds, lateMs, silentMs }: { readonly holds: Pick<InFlight<Hold>, "has"> } & LedgerWaits,
) {
  const reserving = queue.run({ kind: "reserve", reservation });
  if (reservation.outlivesProcess === true) return reserving;
  try {
    return await awaitDatabase(reserving, silentMs);
  } catch (error) {
    const giveBack = (): void => {
      if (!holds.has(reservation.requestId)) void releaseRow(queue, reservation);
    };
    reserving.then(giveBack, () => setTimeout(giveBack, lateMs).unref());
    throw error;
  }
}

function holdOf({ amount, tokenUnlimited, budgeted }: Reservation): Hold {
  return {
    uncertain: false,
    budgeted: budgeted === true,
    held: { user: amount, token: tokenUnlimited ? 0 : amount },
  };
}

async function settleKept(queue: CommitQueue, settlement: Settlement): Promise<SettleOutcome> {
  const most = { mostFromUser: Number.MAX_SAFE_INTEGER, mostFromToken: Number.MAX_SAFE_INTEGER };
  const operation = { kind: "settle", settlement, ...most, holdRow: "alone", uncertain: false } as const;
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
