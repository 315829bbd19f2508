import { type Kysely, sql } from "kysely";
import { connectDatabaseToRead } from "../connect-database.ts";
import { DatabaseStartError } from "../database-errors.ts";
import type { DatabaseLocation, OpenDatabase } from "../open-database.ts";
import type { Tables } from "../tables.ts";
import { allMigrations } from "../migrations/all-migrations.ts";
import { type BackupTable, pageRowsOf } from "./backup-tables.ts";

export type StoredValue = string | number | null;

/** The database at one moment, while servers write on. */
export interface Snapshot {
  readonly kind: OpenDatabase["kind"];
  readonly db: Kysely<Tables>;
  readonly schemaNumber: number;
  columnsOf(table: BackupTable): Promise<readonly string[]>;
  /** All rows, a page at a time. Read one table after the other. */
  pagesOf(table: BackupTable, columns: readonly string[]): AsyncIterable<readonly (readonly StoredValue[])[]>;
  /** The last id that was given, by table; ids of deleted rows are not given again. */
  sequences(): Promise<ReadonlyMap<string, number>>;
}

type Row = Readonly<Record<string, StoredValue>>;

/**
 * Runs the work on one snapshot. On SQLite the write-ahead log grows meanwhile. Throws DatabaseStartError if the database is
 * unreachable or of another version than this program.
 */
export async function withSnapshot<Result>(
  location: DatabaseLocation,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  const database = await connectDatabaseToRead(location);
  try {
    if (database.kind === "sqlite") {
      await sql`begin`.execute(database.db);
      return await work(await sqliteSnapshot(database.db));
    }
    return await database.migrationDb
      .transaction()
      .setIsolationLevel("repeatable read")
      .setAccessMode("read only")
      .execute(async (transaction) => {
        await sql`set local statement_timeout = 0`.execute(transaction);
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
        return work(await postgresSnapshot(transaction));
      });
  } finally {
    await database.close();
  }
}

async function sqliteSnapshot(db: Kysely<Tables>): Promise<Snapshot> {
  return {
    kind: "sqlite",
    db,
    schemaNumber: await readSchemaNumber(
      db,
      sql`select 1 as found from sqlite_schema where name = 'schema_migrations'`,
    ),
    async columnsOf(table) {
      const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(db);
      return rows.map(({ name }) => name);
    },
    async *pagesOf(table, columns) {
      let last = Number.MIN_SAFE_INTEGER;
      for (;;) {
        const { rows } = await sql<Row>`
          select rowid as "_row", ${sql.join(columns.map((name) => sql.ref(name)))} from ${sql.table(table)}
          where rowid > ${last} order by rowid limit ${pageRowsOf(table)}`.execute(db);
        if (rows.length === 0) return;
        last = Number(rows.at(-1)?.["_row"]);
        yield rows.map((row) => columns.map((name) => row[name] ?? null));
      }
    },
    async sequences() {
      const { rows } = await sql<{ name: string; last: number }>`select name, seq as last from sqlite_sequence`.execute(
        db,
      );
      return new Map(rows.map(({ name, last }) => [name, last]));
    },
  };
}

async function postgresSnapshot(db: Kysely<Tables>): Promise<Snapshot> {
  return {
    kind: "postgres",
    db,
    schemaNumber: await readSchemaNumber(
      db,
      sql`select 1 as found from information_schema.tables where table_name = 'schema_migrations' and table_schema = current_schema()`,
    ),
    async columnsOf(table) {
      const { rows } = await sql<{ name: string }>`
        select column_name as name from information_schema.columns
        where table_schema = current_schema() and table_name = ${table} order by ordinal_position`.execute(db);
      return rows.map(({ name }) => name);
    },
    async *pagesOf(table, columns) {
      await sql`declare backup_rows no scroll cursor for
        select ${sql.join(columns.map((name) => sql.ref(name)))} from ${sql.table(table)}`.execute(db);
      for (;;) {
        const { rows } = await sql<Row>`fetch forward ${sql.lit(pageRowsOf(table))} from backup_rows`.execute(db);
        if (rows.length === 0) break;
        yield rows.map((row) => columns.map((name) => row[name] ?? null));
      }
      await sql`close backup_rows`.execute(db);
    },
    async sequences() {
      const { rows } = await sql<{ name: string; last: number }>`
        select owner.relname as name, coalesce(pg_sequence_last_value(sequence.oid), 0) as last
        from pg_class as sequence
        join pg_depend as link on link.objid = sequence.oid and link.classid = 'pg_class'::regclass and link.deptype = 'i'
        join pg_class as owner on owner.oid = link.refobjid
        where sequence.relkind = 'S' and owner.relnamespace = current_schema()::regnamespace`.execute(db);
      return new Map(rows.map(({ name, last }) => [name, last]));
    },
  };
}

async function readSchemaNumber(db: Kysely<Tables>, findTable: ReturnType<typeof sql>): Promise<number> {
  const isMigrated = (await findTable.execute(db)).rows.length > 0;
  const records = isMigrated
    ? await sql<{ number: number }>`select number from schema_migrations order by number`.execute(db)
    : { rows: [] };
  const number = records.rows.at(-1)?.number ?? 0;
  const own = allMigrations.at(-1)?.number ?? 0;
  if (number === own) return number;
  throw new DatabaseStartError(
    number === 0
      ? "The database has no tables of One API. Name the right one with DATABASE_URL or DATA_DIR."
      : `The database is of another version than this program: its last migration is ${number}, this program's is ${own}. Run the command with the version that serves.`,
  );
}
