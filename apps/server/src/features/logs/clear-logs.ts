import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";
import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { QuotaLedger, RemovedLog } from "@one-api/ledger/quota";
import type { OldEntries } from "@one-api/log-store/questions";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { removeBodiesBefore } from "./bodies/stored-body.repository.ts";
import { recordRemoval } from "@one-api/log-store/record-removal";
import { askLog } from "./ask-log.ts";
import { findNextRange, findNewestId } from "./log.repository.ts";

/** Entries of one transaction: about ten ms of work, so that relayed requests commit in between. */
const STEP = 1_000;
const PAUSE_MS = 5;
/** A charge with an unknown outcome is retried within seconds. Charges stay for an hour to be safe. */
const RETAINED_CHARGE_SECONDS = 3_600;

export interface LogClearings {
  /**
   * Removes entries older than `target` (Unix seconds) with one audit row, and returns their number. Ends
   * early when the server stops.
   * Throws `log-clearing-running` while this server clears already.
   */
  clear(context: CallContext, target: number): Promise<number>;
  /** The same in the background: returns the number of entries at once. */
  start(context: CallContext, target: number): Promise<{ entries: number }>;
  look(context: CallContext, target: number): Promise<{ entries: number; cleared: number | null }>;
  stop(): Promise<void>;
}

interface Clearing {
  readonly entries: number;
  readonly ended: Promise<number>;
}

interface Progress {
  cleared: number;
  ended: Promise<number> | undefined;
}

interface ClearingParts {
  readonly ledger: QuotaLedger;
  readonly isDraining: () => boolean;
  readonly log: Pick<Logger, "error">;
}

export function createLogClearings({ ledger, isDraining, log }: ClearingParts): LogClearings {
  let running: Progress | undefined;
  let isStopping = false;

  async function begin(context: CallContext, target: number): Promise<Clearing> {
    if (running !== undefined)
      throw new AppError("log-clearing-running", "Another clean-up of the log is running. Wait until it has ended.");
    const progress: Progress = { cleared: 0, ended: undefined };
    running = progress;
    const end = () => {
      running = undefined;
    };
    try {
      const entries = await countBefore(context, target);
      const detail = { target, entries };
      await recordAudit(context.database.db, context, { action: "log.clear", object: "log", detail });
      const { database, clock, logStore } = context;
      const removal: Removal = {
        ledger,
        target,
        isStopping: () => isStopping || isDraining(),
        onStep: (cleared) => void (progress.cleared += cleared),
      };
      // Without the caller's signal: it continues when the caller disconnects.
      const ended = removeOldLogs({ database, clock, logStore }, removal).then(() => progress.cleared);
      progress.ended = ended.finally(end);
      return { entries, ended: progress.ended };
    } catch (error) {
      end();
      throw error;
    }
  }

  return {
    clear: async (context, target) => (await begin(context, target)).ended,
    async start(context, target) {
      const { entries, ended } = await begin(context, target);
      ended.catch((error: unknown) => log.error({ err: error }, "the log could not be cleared"));
      return { entries };
    },
    look: async (context, target) => ({
      entries: await countBefore(context, target),
      cleared: running?.cleared ?? null,
    }),
    async stop() {
      isStopping = true;
      await running?.ended?.catch(() => undefined);
    },
  };
}

interface Removal {
  readonly ledger: QuotaLedger;
  readonly target: number;
  readonly isStopping: () => boolean;
  readonly onStep: (cleared: number) => void;
}

/** Removes older entries and their stored bodies in steps by id. Times do not follow ids: the log store knows the last id of an older entry. */
export async function removeOldLogs(
  context: Pick<CallContext, "database" | "clock" | "logStore" | "signal">,
  { ledger, target, isStopping, onStep }: Removal,
): Promise<void> {
  const { database, clock } = context;
  await removeBodiesBefore(database.db, target);
  const newestId = await findNewestId(database.db);
  const { state } = await context.logStore.status();
  const lastId = state === "off" ? 0 : (await findOldEntries(context, target)).lastId;
  let last = 0;
  while (!isStopping()) {
    const range = await findNextRange(database.db, { after: last, last: newestId }, STEP);
    if (range.entries === 0 || (range.oldest >= target && range.after >= lastId)) return;
    ({ last } = range);
    if (range.oldest >= target) continue;
    const at = nowSeconds(clock);
    const clearing = {
      ...range,
      before: target,
      retainChargesFrom: at - RETAINED_CHARGE_SECONDS,
      at,
      onRemoved: (transaction: Queryable, entries: readonly RemovedLog[]) =>
        recordRemoval(transaction, { firstId: range.after + 1, lastId: range.last, at }, entries),
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
