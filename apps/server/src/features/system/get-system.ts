import type { SystemState } from "@one-api/contract/system/system";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { EventLoopDelay } from "../../platform/work/event-loop-delay.ts";
import type { JobRuns } from "../../platform/work/job-runs.ts";
import { getAuditSeal } from "../audit/index.ts";
import type { Outages } from "./outages.ts";
import { type ReportedParts, reportOf } from "./report-server.ts";
import { presentBalances, presentDelay, presentJob, presentOutage, presentServers } from "./system.present.ts";
import { listReports, listServerOwners, readDatabaseFacts } from "./system.repository.ts";

export interface SystemParts extends ReportedParts {
  readonly canWrite: () => Promise<boolean>;
  readonly runs: Pick<JobRuns, "all">;
  readonly outages: Pick<Outages, "all">;
  readonly budgets: () => SystemState["process"]["budgets"];
}

/** Returns the state of all servers, and of the database, jobs and memory as this server sees them. */
export async function getSystem(
  { database, clock, logStore }: Pick<CallContext, "database" | "clock" | "logStore">,
  parts: SystemParts,
  delay: Pick<EventLoopDelay, "read">,
): Promise<SystemState> {
  const { db, kind } = database;
  const now = nowSeconds(clock);
  const [others, owners, facts, isWritable, store, seal] = await Promise.all([
    listReports(db),
    listServerOwners(db),
    readDatabaseFacts(database),
    parts.canWrite(),
    logStore.status(),
    getAuditSeal(database),
  ]);
  const own = reportOf(parts, now);
  const reports = [own, ...others.filter(({ id }) => id !== own.id)];
  const { connections, connection_limit: limit } = facts;
  const { rss, heapUsed } = process.memoryUsage();
  return {
    at: now,
    servers: presentServers(reports, owners, { ownId: own.id, now }),
    database: {
      kind,
      version: facts.version,
      bytes: facts.bytes,
      is_writable: isWritable,
      connections: database.connections(),
      all_connections: connections === null || limit === null ? null : { open: connections, limit },
      failed_writes: database.failedWrites(),
    },
    log_store: { state: store.state, progress: store.progress, behind: store.behind },
    jobs: parts.runs.all.map(presentJob),
    outages: parts.outages.all.map(presentOutage),
    process: {
      node: process.version,
      memory_bytes: rss,
      heap_bytes: heapUsed,
      event_loop_delay: presentDelay(delay.read()),
      budgets: parts.budgets(),
    },
    balances: presentBalances(reports),
    audit: {
      sealed_up_to: seal.sealed_up_to,
      unsealed: seal.unsealed,
      checked_at: seal.checked_at,
      problems: seal.problems.length,
    },
  };
}
