import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import { DatabaseStartError, DatabaseUnavailableError } from "../database-errors.ts";
import type { OpenDatabase } from "../open-database.ts";
import type { Tables } from "../tables.ts";
import { checkPages } from "./check-pages.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import {
  findRealFile,
  lockDataDirectory,
  prepareDataDirectory,
  prepareOwnerOnlyFile,
  SQLITE_FILE,
} from "./sqlite-folder.ts";
import { SharedSqliteDialect } from "./sqlite-kysely-dialect.ts";
import { type SyncFile, WalSync } from "./wal-sync.ts";
import { WatchedWrites } from "./watched-writes.ts";

/**
 * Opens the SQLite file in the data folder, creating both if missing, and locks it against other processes. `syncFile`
 * is for tests. Throws `DatabaseStartError` with the folder and the fix.
 */
export async function openSqlite(dataDirectory: string, syncFile?: SyncFile): Promise<OpenDatabase> {
  prepareDataDirectory(dataDirectory);
  const file = findRealFile(path.join(dataDirectory, SQLITE_FILE));
  const unlock = lockDataDirectory(path.dirname(file));
  try {
    return openConnection(openDurably(file, syncFile), unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Opens the file for reading, also while a server uses it. Throws `DatabaseStartError` with DATA_DIR and the fix. */
export async function openSqliteToRead(dataDirectory: string): Promise<OpenDatabase> {
  const file = path.join(dataDirectory, SQLITE_FILE);
  try {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
    return openConnection(new SqliteConnection(database, undefined), () => undefined);
  } catch (error) {
    throw cannotBeOpened(file, error);
  }
}

/** Its commits are on disk when their promises resolve. */
function openDurably(file: string, syncFile: SyncFile | undefined): SqliteConnection {
  const database = openFile(file);
  try {
    // The first read creates a missing WAL.
    database.exec("select name from sqlite_schema limit 1");
    checkPages(database, file);
    const connection = new SqliteConnection(database, new WalSync(file, syncFile));
    trustLogSoon(connection);
    return connection;
  } catch (error) {
    database.close();
    if (error instanceof DatabaseStartError) throw error;
    throw cannotBeOpened(`${file}-wal`, error);
  }
}

/**
 * The WAL of an earlier process may not be on disk. If it cannot be synced now, that happens before the first write.
 */
function trustLogSoon(connection: SqliteConnection): void {
  try {
    connection.trustLog();
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) throw error;
  }
}

function openConnection(connection: SqliteConnection, afterClose: () => void): OpenDatabase {
  const db = new Kysely<Tables>({ dialect: new SharedSqliteDialect(connection) });
  const writes = new WatchedWrites();
  return {
    kind: "sqlite",
    db,
    migrationDb: db,
    writeTransaction: (work, durability) => writes.watch(connection.writeTransaction(work, durability)),
    openStatements: undefined,
    failedWrites: () => writes.failed,
    connections: () => ({
      open: 1,
      busy: connection.isWriting ? 1 : 0,
      limit: 1,
      waiting: connection.connectionLock.waiting + connection.writeLock.waiting,
    }),
    listen: undefined,
    close: async () => {
      if (!(await connection.close())) return;
      await db.destroy();
      afterClose();
    },
  };
}

function openFile(file: string): DatabaseSync {
  prepareOwnerOnlyFile(file);
  try {
    const database = new DatabaseSync(file);
    applySqliteSettings(database);
    return database;
  } catch (error) {
    if (error instanceof DatabaseStartError) throw error;
    throw cannotBeOpened(file, error);
  }
}

function cannotBeOpened(file: string, cause: unknown): DatabaseStartError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new DatabaseStartError(`DATA_DIR: the database file ${file} cannot be opened: ${reason}`, { cause });
}

/** A race in the write-ahead log could damage the file up to 3.51.2 (sqlite.org/releaselog/3_51_3.html). */
const OLDEST_SAFE_VERSION = "3.51.3";

/**
 * Settings for integrity and bounded memory. SQLite does not wait for the disk in commits: `WalSync` makes them
 * durable.
 */
const SETTINGS = `
  pragma journal_mode = wal;
  pragma synchronous = normal;
  pragma foreign_keys = on;
  pragma busy_timeout = 5000;
  pragma mmap_size = 0;
  pragma temp_store = memory;
  pragma cache_size = -65536;
  pragma wal_autocheckpoint = 8000;
  pragma journal_size_limit = 67108864;
`;

function applySqliteSettings(database: DatabaseSync): void {
  const version = String(database.prepare("select sqlite_version() as version").get()?.["version"]);
  if (isOlder(version, OLDEST_SAFE_VERSION)) {
    throw new DatabaseStartError(
      `SQLite ${version} is too old: ${OLDEST_SAFE_VERSION} or newer is needed. Start with the Node.js that the project brings.`,
    );
  }
  database.exec(SETTINGS);
  requireSetting(database, "journal_mode", "wal");
  requireSetting(database, "synchronous", 1);
  requireSetting(database, "foreign_keys", 1);
}

export function isOlder(version: string, than: string): boolean {
  const left = version.split(".").map(Number);
  const right = than.split(".").map(Number);
  for (const [index, wanted] of right.entries()) {
    const part = left[index] ?? 0;
    if (part !== wanted) return part < wanted;
  }
  return false;
}

function requireSetting(database: DatabaseSync, name: string, wanted: string | number): void {
  const value = database.prepare(`pragma ${name}`).get()?.[name];
  if (value === wanted) return;
  throw new DatabaseStartError(
    `SQLite would not set ${name} to ${wanted} (it is ${String(value)}). DATA_DIR must be on a local disk: network file systems lose data.`,
  );
}
