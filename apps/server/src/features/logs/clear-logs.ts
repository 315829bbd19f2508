import { setTimeout as wait } from "node:timers/promises";
import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { QuotaLedger, RemovedLog } from "@one-api/ledger/quota";
import type { OldEntries } from "@one-api/log-store/questions";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { removeBodiesBefore } from "./bodies/kept-body.repository.ts";
import { recordRemoval } from "@one-api/log-store/record-removal";
import { askLog } from "./ask-log.ts";
import { findNextStretch, findNewestId } from "./log.repository.ts";

/** So many entries are looked at in one transaction: some ten ms of work where all go, so that relayed requests commit in between. */
const STEP = 1_000;
const PAUSE_MS = 5;
/** A settlement whose outcome is not known is made again within seconds; a charge is kept for an hour, to be safe. */
const KEEP_CHARGES_SECONDS = 3_600;

/** Clears the log, one clearing at a time. */
export interface LogClearings {
  /**
   * Removes the entries from before a time (Unix seconds), with one audit row, and returns how many they were. Ends early, with what is done so
   * far, when the server stops. Throws `log-clearing-running` while this server clears already.
   */
  clear(context: CallContext, target: number): Promise<number>;
  /** How many entries are from before the time, and how many the running clearing has removed; null while none runs. */
  look(context: CallContext, target: number): Promise<{ entries: number; cleared: number | null }>;
}

/** Builds the clearings of one server. */
export function createLogClearings(ledger: QuotaLedger, isStopping: () => boolean): LogClearings {
  let running: { cleared: number } | undefined;
  return {
    async clear(context, target) {
      if (running !== undefined)
        throw new AppError("log-clearing-running", "Another clean-up of the log is running. Wait until it has ended.");
      const progress = (running = { cleared: 0 });
      const onStep = (cleared: number) => void (progress.cleared += cleared);
      try {
        const detail = { target, entries: await countBefore(context, target) };
        await recordAudit(context.database.db, context, { action: "log.clear", object: "log", detail });
        await removeOldLogs(context, { ledger, target, isStopping, onStep });
        return progress.cleared;
      } finally {
        running = undefined;
      }
    },
    look: async (context, target) => ({
      entries: await countBefore(context, target),
      cleared: running?.cleared ?? null,
    }),
  };
}

interface Removal {
  readonly ledger: QuotaLedger;
  /** Entries from before this time go, in Unix seconds. */
  readonly target: number;
  readonly isStopping: () => boolean;
  /** Is told how many went in one step. */
  readonly onStep: (cleared: number) => void;
}

/**
 * Removes the entries from before a time and what was kept of their requests, in small steps, in the order of ids; ends early
 * when the server stops. Later entries may have earlier times: the log store says up to which id there are any.
 */
export async function removeOldLogs(
  context: Pick<CallContext, "database" | "clock" | "logStore" | "signal">,
  { ledger, target, isStopping, onStep }: Removal,
): Promise<void> {
  const { database, clock } = context;
  await removeBodiesBefore(database.db, target);
  const newestId = await findNewestId(database.db);
  const lastId = context.logStore.status().state === "off" ? 0 : (await findOldEntries(context, target)).lastId;
  let last = 0;
  while (!isStopping()) {
    const stretch = await findNextStretch(database.db, { after: last, last: newestId }, STEP);
    if (stretch.entries === 0 || (stretch.oldest >= target && stretch.after >= lastId)) return;
    ({ last } = stretch);
    if (stretch.oldest >= target) continue;
    const at = nowSeconds(clock);
    const clearing = {
      ...stretch,
      before: target,
      keepChargesFrom: at - KEEP_CHARGES_SECONDS,
      at,
      onRemoved: (transaction: Queryable, entries: readonly RemovedLog[]) =>
        recordRemoval(transaction, { firstId: stretch.after + 1, lastId: stretch.last, at }, entries),
    };
    onStep(await inTransaction(database, (transaction) => ledger.clearLogs(transaction, clearing)));
    await wait(PAUSE_MS);
  }
}

async function findOldEntries(context: Pick<CallContext, "logStore" | "signal">, target: number): Promise<OldEntries> {
  return (await askLog(context, { kind: "old-entries", before: target })).answer;
}

async function countBefore(context: CallContext, target: number): Promise<number> {
  return (await findOldEntries(context, target)).entries;
}
