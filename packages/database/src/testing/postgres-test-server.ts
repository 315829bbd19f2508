import { randomBytes } from "node:crypto";
import pg from "pg";
import { findPostgres } from "../../../../scripts/lib/find-programs.mjs";
import { startPostgresCluster, withDatabaseName } from "./postgres-cluster.ts";

const MISSING =
  "PostgreSQL's server programs were not found. Install them (Debian: apt-get install postgresql), or name their folder in POSTGRES_BIN, or a running server in TEST_POSTGRES_URL (postgres://admin@host/postgres).";

/** The first version that can be told how to copy a database. */
const KNOWS_STRATEGIES = 150_000;

let adminUrl: Promise<string> | undefined;
let template: Promise<string> | undefined;

/** Returns why tests cannot use PostgreSQL here, for the person who runs them; undefined when they can. */
export function postgresMissing(): string | undefined {
  return process.env["TEST_POSTGRES_URL"] || findPostgres() ? undefined : MISSING;
}

/**
 * Makes an empty database, or a copy of the template, on the server of `TEST_POSTGRES_URL`, else on a private one that lives as long as this
 * process; returns its address.
 */
export async function createPostgresDatabase(copied = "template1"): Promise<string> {
  const name = `one_api_test_${randomBytes(8).toString("hex")}`;
  await asAdmin(async (client) => {
    const { rows } = await client.query<{ version: number }>(
      "select current_setting('server_version_num')::int as version",
    );
    // Half the work of writing the copy to the log, which newer servers do unless told; older ones know only this way.
    const strategy = (rows[0]?.version ?? 0) >= KNOWS_STRATEGIES ? "strategy file_copy" : "";
    await client.query(`create database ${name} template ${copied} ${strategy}`);
  });
  return withDatabaseName(await findAdminUrl(), name);
}

/**
 * Returns the name of a database that was filled once and that others can be copies of. Undefined on a server that `TEST_POSTGRES_URL` names
 * and this suite did not start, since the template would stay behind.
 */
export async function findPostgresTemplate(fill: (databaseUrl: string) => Promise<void>): Promise<string | undefined> {
  if (process.env["TEST_POSTGRES_URL"]) return process.env["TEST_POSTGRES_TEMPLATE"];
  template ??= createPostgresDatabase().then(async (databaseUrl) => {
    await fill(databaseUrl);
    return new URL(databaseUrl).pathname.slice(1);
  });
  return template;
}

/** Removes a database made by `createPostgresDatabase`, with the connections that are still open. */
export async function dropPostgresDatabase(databaseUrl: string): Promise<void> {
  await runAsAdmin(`drop database if exists ${new URL(databaseUrl).pathname.slice(1)} with (force)`);
}

function findAdminUrl(): Promise<string> {
  adminUrl ??= startOrUseServer();
  return adminUrl;
}

async function startOrUseServer(): Promise<string> {
  const running = process.env["TEST_POSTGRES_URL"];
  if (running) return running;
  const programs = findPostgres();
  if (programs === undefined) throw new Error(MISSING);
  return (await startPostgresCluster(programs)).adminUrl;
}

/** Runs a statement on the database of administrators. */
export async function runAsAdmin(statement: string, server?: string): Promise<void> {
  await asAdmin((client) => client.query(statement), server);
}

async function asAdmin(work: (client: pg.Client) => Promise<unknown>, server?: string): Promise<void> {
  const client = new pg.Client({ connectionString: server ?? (await findAdminUrl()) });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
