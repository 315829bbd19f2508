import type { TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { startPostgresCluster } from "@one-api/database/testing/postgres-cluster";
import { runAsAdmin } from "@one-api/database/testing/postgres-test-server";

/** A PostgreSQL primary whose commits wait for its standby. */
export interface PostgresPair {
  /** Names both servers; the database is `postgres`. */
  readonly databaseUrl: string;
  /** Kills the primary, and promotes the standby after `outageMs`. */
  readonly failOver: (outageMs?: number) => Promise<void>;
}

/** `programs`: folder of PostgreSQL's server programs. Both servers end with the test. */
export async function startPostgresPair(t: TestContext, programs: string): Promise<PostgresPair> {
  const primary = await startPostgresCluster(programs);
  t.after(() => primary.stop());
  const standby = await startPostgresCluster(programs, {}, primary.adminUrl);
  t.after(() => standby.stop());
  await runAsAdmin("alter system set synchronous_standby_names = '*'", primary.adminUrl);
  await runAsAdmin("select pg_reload_conf()", primary.adminUrl);
  const hosts = [primary, standby].map(({ adminUrl }) => new URL(adminUrl).searchParams.get("host") ?? "");
  return {
    databaseUrl: `postgres://postgres@${hosts.map(encodeURIComponent).join(",")}/postgres`,
    failOver: async (outageMs = 0) => {
      primary.kill();
      await wait(outageMs);
      return runAsAdmin("select pg_promote()", standby.adminUrl);
    },
  };
}
