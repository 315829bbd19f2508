import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type CompiledQuery, sql, type Transaction } from "kysely";
import { DatabaseStartError } from "./database-errors.ts";
import { allMigrations } from "./migrations/all-migrations.ts";
import { integer, integerOrNull, text } from "./migrations/column.ts";
import { createTable } from "./migrations/create-table.ts";
import { fromDevelopment, LAST_DEVELOPMENT_MIGRATION } from "./migrations/from-development.ts";
import type { Migration, Statement } from "./migrations/migration.ts";
import { isLockFailure } from "./dialects/postgres-errors.ts";
import type { OpenDatabase } from "./open-database.ts";

interface AppliedMigration {
  readonly number: number;
  readonly name: string;
}

type BookkeepingTables = { schema_migrations: MigrationRecord };

/** "oapi", against a collision with other programs. */
const ADVISORY_LOCK = 0x6f617069;
/** Longest wait of a migration for a lock on a table. */
const LOCK_WAIT_MS = 1_000;
const LOCK_RETRY_MS = 1_000;
const bookkeepingColumns = {
  number: integer,
  name: text,
  checksum: text,
  started_at: integer,
  finished_at: integerOrNull,
};

/**
 * Migrates the schema to this version; returns the executed migrations. Each runs once, also with several servers, in a
 * transaction with its record. While others hold its tables it is tried again, and `onWait` receives each failure.
 * Throws DatabaseStartError for a newer or foreign history, or a failed migration, which is rolled back.
 */
export async function migrate(
  database: OpenDatabase,
  migrations: readonly Migration[] = allMigrations,
  onWait: (failure: unknown) => void = () => {},
): Promise<readonly AppliedMigration[]> {
  const planned = migrations.map((migration) => plan(database, migration));
  const applied: AppliedMigration[] = [];
  for (;;) {
    const migration = await applyNext(database, planned).catch((error: unknown) => {
      if (!isLockFailure(error)) throw error;
      onWait(error);
    });
    if (migration === null) return applied;
    if (migration === undefined) await pause(LOCK_RETRY_MS);
    else applied.push({ number: migration.number, name: migration.name });
  }
}

/** Null once all are applied. */
function applyNext(database: OpenDatabase, planned: readonly PlannedMigration[]): Promise<Migration | null> {
  return database.migrationDb
    .withTables<BookkeepingTables>()
    .transaction()
    .execute(async (trx) => {
      if (database.kind === "postgres") await lockMigrations(trx);
      await createTable({ kind: database.kind, schema: trx.schema }, "schema_migrations", bookkeepingColumns)
        .ifNotExists()
        .addPrimaryKeyConstraint("schema_migrations_primary_key", ["number"])
        .execute();
      const records = await trx
        .selectFrom("schema_migrations")
        .select(["number", "name", "checksum", "started_at", "finished_at"])
        .orderBy("number")
        .execute();
      if (isDevelopmentHistory(records)) return carryOver(trx, database, records, planned);
      checkMigrationHistory(records, planned);
      if (records.length === 0) await refuseOldServer(trx, database.kind);
      const next = planned[records.length];
      if (next === undefined) return null;
      await apply(trx, next);
      return next.migration;
    });
}

/** Development versions began with the migration "accounts". */
function isDevelopmentHistory(records: readonly MigrationRecord[]): boolean {
  return records[0]?.number === 1 && records[0].name === "accounts";
}

/** Migrates the last development version to the baseline, whose record replaces its history. */
async function carryOver(
  trx: Transaction<BookkeepingTables>,
  { kind, db }: OpenDatabase,
  records: readonly MigrationRecord[],
  [baseline]: readonly PlannedMigration[],
): Promise<Migration> {
  const { number, name, checksums } = LAST_DEVELOPMENT_MIGRATION;
  const last = records.at(-1);
  const isLast = last?.number === number && last.name === name && last.checksum === checksums[kind];
  if (baseline === undefined || !isLast || records.some(({ finished_at: at }) => at === null)) {
    throw new DatabaseStartError(
      `The database is of a development version before 1.0 (migration ${last?.number ?? 0}). Start the last development version with it once, which migrates it to ${number}, then this version.`,
    );
  }
  await trx.deleteFrom("schema_migrations").execute();
  await apply(trx, { ...baseline, queries: compile(db, fromDevelopment({ kind, schema: db.schema })) });
  return baseline.migration;
}

const BRING_OVER: Readonly<Record<OpenDatabase["kind"], string>> = {
  sqlite:
    "Move that file (one-api.db in DATA_DIR) elsewhere, for example to old.db, and bring over what is in it: npm run import -- old.db",
  postgres:
    "Point DATABASE_URL at a new database, and bring over what is in the old one: npm run import -- postgres://user:password@host/old-database",
};

/** Throws for a database of One API or new-api, whose tables have the same names. */
async function refuseOldServer(trx: Transaction<BookkeepingTables>, kind: OpenDatabase["kind"]): Promise<void> {
  const found =
    kind === "sqlite"
      ? sql`select name from sqlite_schema where type = 'table' and name = 'users'`
      : sql`select table_name from information_schema.tables where table_name = 'users' and table_schema = current_schema()`;
  if ((await found.execute(trx)).rows.length === 0) return;
  throw new DatabaseStartError(
    `This is the database of another program, probably One API or new-api; none of its data was changed. ${BRING_OVER[kind]}`,
  );
}

interface PlannedMigration {
  readonly migration: Migration;
  readonly queries: readonly CompiledQuery[];
  readonly checksum: string;
}

function plan({ kind, db }: OpenDatabase, migration: Migration): PlannedMigration {
  const queries = compile(db, migration.statements({ kind, schema: db.schema }));
  return { migration, queries, checksum: migrationChecksum(queries.map((query) => query.sql)) };
}

function compile(db: OpenDatabase["db"], statements: readonly Statement[]): readonly CompiledQuery[] {
  return statements.map((statement) => ("isRawBuilder" in statement ? statement.compile(db) : statement.compile()));
}

/**
 * Other servers wait here until this transaction ends. An index on a large table may take longer than a request's time
 * limit. Requests queue behind a lock that a migration waits for, so it does not wait for a backup's end.
 */
async function lockMigrations(trx: Transaction<BookkeepingTables>): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(trx);
  await sql`set local lock_timeout = 0`.execute(trx);
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCK})`.execute(trx);
  await sql`set local lock_timeout = ${sql.lit(LOCK_WAIT_MS)}`.execute(trx);
}

async function apply(
  trx: Transaction<BookkeepingTables>,
  { migration, queries, checksum }: PlannedMigration,
): Promise<void> {
  const { number, name } = migration;
  try {
    await trx
      .insertInto("schema_migrations")
      .values({ number, name, checksum, started_at: nowSeconds(), finished_at: null })
      .execute();
    for (const query of queries) await trx.executeQuery(query);
    await trx
      .updateTable("schema_migrations")
      .set({ finished_at: nowSeconds() })
      .where("number", "=", number)
      .execute();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseStartError(`Migration ${number} (${name}) failed, nothing of it was kept: ${reason}`, {
      cause: error,
    });
  }
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

interface MigrationRecord {
  number: number;
  name: string;
  checksum: string;
  started_at: number;
  /** Null only after manual edits: a migration and its record are one transaction. */
  finished_at: number | null;
}

const RESTORE = "Restore the database from a backup, or start the program version that made it.";

/**
 * Throws DatabaseStartError unless the records are the first of this program's migrations, each finished and unchanged.
 */
function checkMigrationHistory(
  records: readonly MigrationRecord[],
  planned: readonly { migration: Pick<Migration, "number" | "name">; checksum: string }[],
): void {
  for (const [index, record] of records.entries()) {
    const own = planned[index];
    if (own === undefined) {
      throw new DatabaseStartError(
        `The database is newer than this program: it has migration ${record.number} (${record.name}), this program ends at ${planned.at(-1)?.migration.number ?? 0}. Start the newer version, or restore a backup.`,
      );
    }
    const { number, name } = own.migration;
    if (record.number !== number || record.name !== name) {
      throw new DatabaseStartError(
        `The database has migration ${record.number} (${record.name}) where this program has ${number} (${name}). ${RESTORE}`,
      );
    }
    if (record.finished_at === null)
      throw new DatabaseStartError(`Migration ${number} (${name}) was left half done. ${RESTORE}`);
    if (record.checksum !== own.checksum) {
      throw new DatabaseStartError(
        `Migration ${number} (${name}) ran with other statements than this program has for it. ${RESTORE}`,
      );
    }
  }
}

/** SHA-256 of the statements without spaces, quotes and case: reformatting is no change. */
function migrationChecksum(statements: readonly string[]): string {
  const joined = statements.map((statement) => statement.toLowerCase().replaceAll(/[\s"]+/g, "")).join(";");
  return createHash("sha256").update(joined).digest("hex");
}
