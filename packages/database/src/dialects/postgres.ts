import { Kysely } from "kysely";
import pg from "pg";
import type { Pool } from "pg";
import { DatabaseStartError } from "../database-errors.ts";
import type { OpenDatabase, RunStatement } from "../open-database.ts";
import type { Tables } from "../tables.ts";
import { type Listening, listenToPostgres } from "./postgres-notices.ts";
import { isConnectionLoss, isReadOnly, namedPostgresError, reasonOf, redactDatabaseUrl } from "./postgres-errors.ts";
import { clientClassOf, PostgresHosts } from "./postgres-hosts.ts";
import { refuseTransactionPooler } from "./postgres-pooler.ts";
import { CheckedPostgresDialect } from "./postgres-kysely-dialect.ts";
import { PostgresStatements } from "./postgres-statements.ts";
import { runPostgresTransaction } from "./postgres-transaction.ts";
import { parseSafeInteger } from "./storable-value.ts";
import { WatchedWrites } from "./watched-writes.ts";

interface PostgresOptions {
  /** Upper bound for this process; all servers together must stay below `max_connections`. */
  maxConnections?: number;
  answerTimeoutMs?: number;
}

const MOST_CONNECTIONS = 10;
const CONNECTION_TIMEOUT_MS = 5000;
/** The server's time limit for a statement. */
const STATEMENT_TIMEOUT_MS = 10_000;
/** Time after which a silent connection is given up: the server hangs, or the network lost it. */
const ANSWER_TIMEOUT_MS = 20_000;
const LOCK_TIMEOUT_MS = 5000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;

const STATEMENT_CONNECTIONS = 2;

/**
 * Sent as a statement: PgBouncer refuses startup parameters. Compilation (jit) takes longer than any of our statements.
 */
const SESSION_SETTINGS = `set statement_timeout = ${STATEMENT_TIMEOUT_MS}; set lock_timeout = ${LOCK_TIMEOUT_MS};
  set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_TIMEOUT_MS}; set jit = off`;

/**
 * Plans are made once for any number of rows, and always by index. So rows are locked in one order, and a plan made on
 * an empty table stays good.
 */
const PLAN_SETTINGS = "set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_bitmapscan = off";

/**
 * Connects to PostgreSQL and checks its settings. Throws `DatabaseStartError` with DATABASE_URL, without the password,
 * and the fix.
 */
export async function openPostgres(databaseUrl: string, options: PostgresOptions = {}): Promise<OpenDatabase> {
  const most = options.maxConnections ?? MOST_CONNECTIONS;
  const answerTimeoutMs = options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS;
  const hosts = new PostgresHosts(databaseUrl, connectionTo);
  const pool = openPool(hosts, { max: Math.max(1, most - STATEMENT_CONNECTIONS), query_timeout: answerTimeoutMs });
  const migrationPool = openPool(hosts, { max: 1 });
  const namedError = (error: unknown) => {
    if (isConnectionLoss(error) || isReadOnly(error)) hosts.searchSoon();
    return namedPostgresError(error, databaseUrl);
  };
  try {
    await hosts.find();
    await refuseTransactionPooler(hosts.connection);
    await checkPostgresSettings(pool);
  } catch (error) {
    await Promise.all([pool.end(), migrationPool.end()]);
    throw startError(error, databaseUrl);
  }
  const db = new Kysely<Tables>({ dialect: new CheckedPostgresDialect({ pool }, namedError) });
  const migrationDb = new Kysely<Tables>({ dialect: new CheckedPostgresDialect({ pool: migrationPool }, namedError) });
  const writes = new WatchedWrites();
  let closed: Promise<unknown> | undefined;
  // A query after the first close would make Kysely end the pool again.
  const endOf = (kysely: Kysely<Tables>, itsPool: Pool) =>
    kysely.destroy().then(() => (itsPool.ended ? undefined : itsPool.end()));
  const Client = clientClassOf(hosts);
  const openStatements = () => {
    const statements = new PostgresStatements({
      openClient: () => new Client({ query_timeout: answerTimeoutMs, pipeline: true, types: postgresNumberTypes() }),
      settings: `${SESSION_SETTINGS}; ${PLAN_SETTINGS}`,
      isLeft: (client) => hosts.isLeft(client),
      namedError,
    });
    const run: RunStatement = (statement, parameters) => writes.watch(statements.run(statement, parameters));
    return { run, disconnect: () => statements.disconnect(), close: () => statements.close() };
  };
  const listenings = new Set<Listening>();
  const end = async () => {
    await Promise.all([...listenings].map((listening) => listening.stop()));
    await Promise.all([endOf(db, pool), endOf(migrationDb, migrationPool)]);
  };
  return {
    kind: "postgres",
    db,
    migrationDb,
    writeTransaction: (work, durability) =>
      writes.watch(runPostgresTransaction({ pool, namedError }, work, durability)),
    openStatements,
    failedWrites: () => writes.failed,
    connections: () => ({
      open: pool.totalCount,
      busy: pool.totalCount - pool.idleCount,
      limit: pool.options.max,
      waiting: pool.waitingCount,
    }),
    listen: (channel, listener) => {
      const listening = listenToPostgres(() => hosts.connection, channel, listener);
      listenings.add(listening);
      return {
        stop() {
          listenings.delete(listening);
          return listening.stop();
        },
      };
    },
    close: async () => {
      await (closed ??= end());
    },
  };
}

function openPool(hosts: PostgresHosts, limits: Pick<pg.PoolConfig, "max" | "query_timeout">): pg.Pool {
  const pool = new pg.Pool({
    ...limits,
    Client: clientClassOf(hosts),
    // Queries are sent without waiting for the answers to earlier ones.
    pipeline: true,
    types: postgresNumberTypes(),
  });
  // The next query reports a connection that was lost while idle or between two statements.
  pool.on("error", ignore);
  pool.on("connect", (client) => {
    client.on("error", ignore);
    client.query(SESSION_SETTINGS).catch(ignore);
  });
  pool.on("release", (_error, client) => {
    if (hosts.isLeft(client)) client.end().catch(ignore);
  });
  return pool;
}

function connectionTo(databaseUrl: string): pg.ClientConfig {
  return {
    connectionString: databaseUrl,
    application_name: "one-api",
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    keepAlive: true,
  };
}

function startError(error: unknown, databaseUrl: string): Error {
  if (error instanceof DatabaseStartError) return error;
  return new DatabaseStartError(
    `Cannot use PostgreSQL at DATABASE_URL (${redactDatabaseUrl(databaseUrl)}): ${reasonOf(error)}. Check that the server runs and that address, user, password and database name are right.`,
    { cause: error },
  );
}

function ignore(): void {}

interface Rule {
  readonly setting: string;
  readonly accepts: (value: string) => boolean;
  readonly fix: string;
}

const isOn = (value: string): boolean => value === "on";

const RULES: readonly Rule[] = [
  { setting: "fsync", accepts: isOn, fix: "commits would not survive a power cut. Set it to on." },
  { setting: "full_page_writes", accepts: isOn, fix: "a power cut could damage the data. Set it to on." },
  {
    setting: "synchronous_commit",
    accepts: (value) => value !== "off",
    fix: "charges that were confirmed could be lost. Set it to on, for the server, the database and the role.",
  },
  {
    setting: "server_encoding",
    accepts: (value) => value === "UTF8",
    fix: "names and texts need UTF8. Create the database with encoding UTF8.",
  },
  {
    setting: "transaction_read_only",
    accepts: (value) => value === "off",
    fix: "One API must write. Point DATABASE_URL at the primary server, with a role that may write.",
  },
];

async function checkPostgresSettings(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; value: string }>(
    "select name, current_setting(name) as value from unnest($1::text[]) as name",
    [RULES.map((rule) => rule.setting)],
  );
  const values = new Map(rows.map((row) => [row.name, row.value]));
  for (const rule of RULES) {
    const value = values.get(rule.setting) ?? "";
    if (!rule.accepts(value))
      throw new DatabaseStartError(`DATABASE_URL: PostgreSQL runs with ${rule.setting} = ${value}: ${rule.fix}`);
  }
}

const INT8 = 20;
const NUMERIC = 1700;

/** Reads bigint and numeric (results of `count` and `sum`) as numbers; throws if a number is not exact. */
function postgresNumberTypes(): InstanceType<typeof pg.TypeOverrides> {
  const overrides = new pg.TypeOverrides();
  overrides.setTypeParser(INT8, parseSafeInteger);
  overrides.setTypeParser(NUMERIC, (text) => (/^-?\d+$/.test(text) ? parseSafeInteger(text) : Number(text)));
  return overrides;
}
