import { Kysely } from "kysely";
import pg from "pg";
import { DatabaseStartError } from "../database-errors.ts";
import type { OpenDatabase } from "../open-database.ts";
import type { Tables } from "../tables.ts";
import { namedPostgresError, reasonOf, redactDatabaseUrl } from "./postgres-errors.ts";
import { CheckedPostgresDialect } from "./postgres-kysely-dialect.ts";
import { postgresNumberTypes } from "./postgres-number-types.ts";
import { checkPostgresSettings } from "./postgres-settings.ts";
import { runPostgresTransaction } from "./postgres-transaction.ts";

export interface PostgresOptions {
  /** Connections that this process opens at most; all replicas together must stay below the server's `max_connections`. */
  maxConnections?: number;
  /** After how long the server gives up a statement. */
  statementTimeoutMs?: number;
}

const CONNECTION_TIMEOUT_MS = 5000;
const LOCK_TIMEOUT_MS = 5000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;

/**
 * Connects to PostgreSQL and checks its settings. Throws `DatabaseStartError` naming DATABASE_URL, without the password, and the fix.
 */
export async function openPostgres(databaseUrl: string, options: PostgresOptions = {}): Promise<OpenDatabase> {
  const pool = openPool(databaseUrl, options);
  const namedError = (error: unknown) => namedPostgresError(error, databaseUrl);
  try {
    await checkPostgresSettings(pool);
  } catch (error) {
    await pool.end();
    throw startError(error, databaseUrl);
  }
  const db = new Kysely<Tables>({ dialect: new CheckedPostgresDialect({ pool }, namedError) });
  return {
    kind: "postgres",
    db,
    sqliteFile: undefined,
    writeTransaction: (work) => runPostgresTransaction(pool, namedError, work),
    close: async () => {
      await db.destroy();
      if (!pool.ended) await pool.end();
    },
  };
}

function openPool(databaseUrl: string, options: PostgresOptions): pg.Pool {
  if (!URL.canParse(databaseUrl)) {
    throw new DatabaseStartError(
      "DATABASE_URL is not a valid address. It looks like postgres://user:password@host:5432/database; encode special characters of the password.",
    );
  }
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: "one-api",
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    statement_timeout: options.statementTimeoutMs ?? 10_000,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    types: postgresNumberTypes(),
  });
  // A connection lost while idle, or in a transaction between two statements, is reported by whoever uses it next.
  pool.on("error", ignore);
  pool.on("connect", (client) => client.on("error", ignore));
  return pool;
}

function startError(error: unknown, databaseUrl: string): Error {
  if (error instanceof DatabaseStartError) return error;
  return new DatabaseStartError(
    `Cannot use PostgreSQL at DATABASE_URL (${redactDatabaseUrl(databaseUrl)}): ${reasonOf(error)}. Check that the server runs and that address, user, password and database name are right.`,
    { cause: error },
  );
}

function ignore(): void {}
