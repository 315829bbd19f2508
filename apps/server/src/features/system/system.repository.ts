import type { OpenDatabase } from "@one-api/database/open-database";
import type { Tables } from "@one-api/database/tables";
import { type Selectable, sql } from "kysely";
import type { Queryable } from "../../core/transaction.ts";

export type ServerReport = Selectable<Tables["servers"]>;

const REPORT_COLUMNS = [
  "id",
  "name",
  "version",
  "started_at",
  "reported_at",
  "stopped_at",
  "in_flight",
  "balances_checked_at",
  "balance_differences",
] as const;

/** State of a server in the ledger: live, dead, or charged (dead, and its checkpoints are charged). */
export type OwnerRow = Pick<Selectable<Tables["owners"]>, "id" | "state">;

export async function saveReport(queryable: Queryable, { id, ...report }: ServerReport): Promise<void> {
  await queryable
    .insertInto("servers")
    .values({ id, ...report })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(report))
    .execute();
}

export async function removeReportsBefore(queryable: Queryable, time: number): Promise<void> {
  await queryable.deleteFrom("servers").where("reported_at", "<", time).execute();
}

export function listReports(queryable: Queryable): Promise<ServerReport[]> {
  return queryable.selectFrom("servers").select(REPORT_COLUMNS).orderBy("started_at", "desc").execute();
}

export function listServerOwners(queryable: Queryable): Promise<OwnerRow[]> {
  return queryable
    .selectFrom("owners")
    .select(["id", "state"])
    .where("state", "in", ["live", "dead", "charged"])
    .orderBy("id", "desc")
    .execute();
}

export interface DatabaseFacts {
  readonly version: string;
  readonly bytes: number;
  readonly connections: number | null;
  readonly connection_limit: number | null;
}

export async function readDatabaseFacts({ kind, db }: OpenDatabase): Promise<DatabaseFacts> {
  const query =
    kind === "sqlite"
      ? sql<DatabaseFacts>`select sqlite_version() as version, null as connections, null as connection_limit,
          (select page_count from pragma_page_count()) * (select page_size from pragma_page_size()) as bytes`
      : sql<DatabaseFacts>`select split_part(current_setting('server_version'), ' ', 1) as version,
          pg_database_size(current_database()) as bytes, current_setting('max_connections')::bigint as connection_limit,
          (select sum(numbackends)::bigint from pg_stat_database) as connections`;
  const { rows } = await query.execute(db);
  const [facts] = rows;
  if (facts === undefined) throw new Error("The database has said nothing about itself.");
  return facts;
}
