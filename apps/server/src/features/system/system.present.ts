import type { SystemState } from "@one-api/contract/system/system";
import type { EventLoopDelay } from "../../platform/work/event-loop-delay.ts";
import type { JobRun } from "../../platform/work/job-runs.ts";
import type { Outages } from "./outages.ts";
import type { OwnerRow, ServerReport } from "./system.repository.ts";

type PresentedServer = SystemState["servers"][number];

/** A live server reports every 10 s. */
const SILENT_SECONDS = 30;

/** Joins reports with the ledger's servers, which include servers of older versions that do not report. */
export function presentServers(
  reports: readonly ServerReport[],
  owners: readonly OwnerRow[],
  { ownId, now }: { readonly ownId: number; readonly now: number },
): PresentedServer[] {
  const states = new Map(owners.map(({ id, state }) => [id, state]));
  const reported = reports.map((report): PresentedServer => ({
    id: report.id,
    name: report.name,
    version: report.version,
    state: report.id === ownId ? "live" : stateOf(report, states.get(report.id), now),
    started_at: report.started_at,
    reported_at: report.reported_at,
    stopped_at: report.stopped_at,
    in_flight: report.in_flight,
    is_this: report.id === ownId,
  }));
  const known = new Set(reports.map(({ id }) => id));
  const times = { started_at: 0, reported_at: 0, stopped_at: 0 };
  const others = owners
    .filter(({ id }) => !known.has(id))
    .map(({ id, state }): PresentedServer => ({
      id,
      name: "",
      version: "",
      state: state === "live" ? "live" : "dead",
      ...times,
      in_flight: 0,
      is_this: false,
    }));
  return [...reported, ...others];
}

function stateOf(
  { stopped_at: stoppedAt, reported_at: reportedAt }: ServerReport,
  ownerState: string | undefined,
  now: number,
): PresentedServer["state"] {
  if (stoppedAt > 0) return "stopped";
  if (ownerState !== "live") return "dead";
  return now - reportedAt > SILENT_SECONDS ? "silent" : "live";
}

/** The newest comparison of any server. */
export function presentBalances(reports: readonly ServerReport[]): SystemState["balances"] {
  const [newest] = reports.toSorted((left, right) => right.balances_checked_at - left.balances_checked_at);
  return { checked_at: newest?.balances_checked_at ?? 0, differences: newest?.balance_differences ?? 0 };
}

export function presentJob(job: Readonly<JobRun>): SystemState["jobs"][number] {
  return {
    name: job.name,
    every_ms: job.everyMs,
    runs: job.runs,
    last_run_at: Math.floor(job.lastRunAtMs / 1_000),
    last_ms: job.lastMs,
    last_error: job.lastError,
    next_run_at: Math.floor(job.nextRunAtMs / 1_000),
  };
}

export function presentOutage(outage: Outages["all"][number]): SystemState["outages"][number] {
  const { startedAt, endedAt, failedWrites, reason } = outage;
  return { started_at: startedAt, ended_at: endedAt, failed_writes: failedWrites, reason };
}

export function presentDelay(delay: ReturnType<EventLoopDelay["read"]>): SystemState["process"]["event_loop_delay"] {
  return delay === undefined ? null : { p50_ms: delay.p50Ms, p99_ms: delay.p99Ms, max_ms: delay.maxMs };
}
