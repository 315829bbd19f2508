import { setTimeout as wait } from "node:timers/promises";
import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../core/clock.ts";
import type { QuotaLedger } from "@one-api/ledger/quota";
import { inTransaction } from "../../core/transaction.ts";
import { removeBodiesBefore } from "./bodies/kept-body.repository.ts";
import { countLogs } from "./count-logs.ts";
import { loadBatches, stretchesBefore } from "./groups/log-span.ts";
import { removeForgottenGroups } from "./groups/remove-forgotten-groups.ts";
import { NO_FILTER } from "./log-filter.ts";
import { findNextStretch } from "./log.repository.ts";

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
 * Removes the entries from before a time, what was kept of their requests, and the groups made of them, in small steps; ends early when the server
 * stops. The groups say where such entries can be, as long as they are there: the first one that goes takes them along.
 */
export async function removeOldLogs(
  { database, clock }: Pick<CallContext, "database" | "clock">,
  { ledger, target, isStopping, onStep }: Removal,
): Promise<void> {
  await removeBodiesBefore(database.db, target);
  let removed = 0;
  for (const { after, last } of stretchesBefore(await loadBatches(database), target)) {
    let next = { after, last: after, entries: STEP };
    while (next.entries === STEP && !isStopping()) {
      next = await findNextStretch(database.db, { after: next.last, last }, STEP);
      const at = nowSeconds(clock);
      const clearing = { ...next, before: target, keepChargesFrom: at - KEEP_CHARGES_SECONDS, at };
      const cleared = await inTransaction(database, (transaction) => ledger.clearLogs(transaction, clearing));
      onStep(cleared);
      removed += cleared;
      await wait(PAUSE_MS);
    }
  }
  if (removed > 0) await removeForgottenGroups(database, isStopping);
}

function countBefore({ database }: CallContext, target: number): Promise<number> {
  return countLogs(database, { ...NO_FILTER, endTimestamp: target - 1 });
}
