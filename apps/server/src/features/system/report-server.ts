import type { UnixSeconds } from "@one-api/database/column-values";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { removeReportsBefore, saveReport, type ServerReport } from "./system.repository.ts";

const DAY_SECONDS = 24 * 3_600;

export interface ReportedParts {
  readonly name: string;
  readonly version: string;
  readonly startedAt: UnixSeconds;
  readonly ledger: { readonly ownerId: number };
  readonly inFlight: { readonly size: number };
  readonly balances: { readonly last: { readonly differences: number; readonly at: number } | undefined };
}

type ReportContext = Pick<CallContext, "database" | "clock">;

/** Stores the server's report, and removes those that are older than a day. */
export async function reportServer({ database, clock }: ReportContext, parts: ReportedParts): Promise<void> {
  const now = nowSeconds(clock);
  await saveReport(database.db, reportOf(parts, now));
  await removeReportsBefore(database.db, now - DAY_SECONDS);
}

export async function reportStop({ database, clock }: ReportContext, parts: ReportedParts): Promise<void> {
  const now = nowSeconds(clock);
  await saveReport(database.db, { ...reportOf(parts, now), stopped_at: now });
}

/** Returns the report of a running server at a time (Unix seconds). */
export function reportOf(
  { name, version, startedAt, ledger, inFlight, balances: { last } }: ReportedParts,
  now: number,
): ServerReport {
  return {
    id: ledger.ownerId,
    name,
    version,
    started_at: startedAt,
    reported_at: now,
    stopped_at: 0,
    in_flight: inFlight.size,
    balances_checked_at: last?.at ?? 0,
    balance_differences: last?.differences ?? 0,
  };
}
