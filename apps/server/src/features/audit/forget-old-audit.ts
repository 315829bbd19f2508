import type { OpenDatabase } from "@one-api/database/open-database";
import type { Logger } from "pino";
import { type Clock, nowSeconds } from "../../core/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { type RepeatedWork, repeatWork } from "../../core/repeat-work.ts";
import { deleteAuditRowsBefore } from "./audit.repository.ts";

const DAY_SECONDS = 24 * 3600;
const EVERY_MS = 10 * 60_000;
/** Rows that one statement removes. */
const BATCH = 1_000;

interface AuditKeeping {
  readonly database: OpenDatabase;
  readonly clock: Clock;
  readonly options: OptionStore;
}

/** Removes entries that are older than the days that AuditRetentionDays says; with 0 they stay for ever. Returns how many that were. */
export async function forgetOldAudit({ database, clock, options }: AuditKeeping): Promise<number> {
  const days = options.number("AuditRetentionDays");
  if (days === 0) return 0;
  const before = nowSeconds(clock) - days * DAY_SECONDS;
  for (let removed = 0; ;) {
    const count = await deleteAuditRowsBefore(database.db, before, BATCH);
    removed += count;
    if (count < BATCH) return removed;
  }
}

/** Does so while the server runs. */
export function keepAudit(keeping: AuditKeeping, log: Logger): Pick<RepeatedWork, "stop"> {
  return repeatWork({ name: "audit retention", everyMs: EVERY_MS, log }, async () => {
    await forgetOldAudit(keeping);
  });
}
