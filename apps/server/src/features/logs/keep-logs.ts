import type { Logger } from "pino";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../core/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import type { QuotaLedger } from "@one-api/ledger/quota";
import { type RepeatedWork, repeatWork } from "../../core/work/repeat-work.ts";
import { forgetChanges } from "@one-api/log-store/record-removal";
import { removeBodiesBefore, trimBodies } from "./bodies/kept-body.repository.ts";
import { removeOldLogs } from "./clear-logs.ts";

const EVERY_MS = 60 * 60 * 1_000;
const DAY_SECONDS = 24 * 60 * 60;
const MEGABYTE = 1024 * 1024;
/** A log store that has not read a change for so long is rebuilt. */
const CHANGES_DAYS = 7;

interface KeepLogsDeps {
  readonly options: OptionStore;
  readonly ledger: QuotaLedger;
  readonly log: Logger;
}

/**
 * Clears entries that are older than the option LogRetentionDays says, every hour; 0 keeps them. Bodies of requests go after LogBodiesDays, and
 * before that when they take more room than LogBodiesMegabytes. Several servers may do it at once.
 */
export function keepLogs(
  context: Pick<CallContext, "database" | "clock" | "logStore">,
  { options, ledger, log }: KeepLogsDeps,
): Pick<RepeatedWork, "soon" | "stop"> {
  let stopping = false;
  const work = repeatWork({ name: "log retention", everyMs: EVERY_MS, log }, async () => {
    const now = nowSeconds(context.clock);
    const { db } = context.database;
    await removeBodiesBefore(db, now - options.number("LogBodiesDays") * DAY_SECONDS);
    await trimBodies(db, options.number("LogBodiesMegabytes") * MEGABYTE);
    await forgetChanges(db, now - CHANGES_DAYS * DAY_SECONDS);
    const days = options.number("LogRetentionDays");
    if (days === 0) return;
    const target = now - days * DAY_SECONDS;
    await removeOldLogs(context, { ledger, target, isStopping: () => stopping, onStep: () => undefined });
  });
  return {
    soon: () => work.soon(),
    stop() {
      stopping = true;
      return work.stop();
    },
  };
}
