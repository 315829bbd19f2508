import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import { DatabaseStartError } from "../database-errors.ts";
import type { OpenDatabase, WriteTurns } from "../open-database.ts";
import type { Tables } from "../tables.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import {
  findRealFile,
  lockDataDirectory,
  prepareDataDirectory,
  prepareOwnerOnlyFile,
  SQLITE_FILE,
} from "./sqlite-folder.ts";
import { SharedSqliteDialect } from "./sqlite-kysely-dialect.ts";

/**
 * Opens the SQLite file in the data folder, making both when they are missing, and holds the file against other processes,
 * whatever way they come, until it is closed. Throws `DatabaseStartError` naming the folder and the fix.
 */
export async function openSqlite(dataDirectory: string): Promise<OpenDatabase> {
  prepareDataDirectory(dataDirectory);
  const file = findRealFile(path.join(dataDirectory, SQLITE_FILE));
  const unlock = lockDataDirectory(path.dirname(file));
  try {
    return openConnection(new SqliteConnection(openFile(file)), file, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** How one more connection writes. */
interface AnotherConnection {
  /** Its turns among the process's other connections; without, somebody else must see to it that no two write at once. */
  readonly writeTurns?: WriteTurns;
  /** What it writes can be made again from the rest: its commits wait for no disk, and a power cut may undo the last of them, in their order. */
  readonly derived?: true;
}

/**
 * Opens one more connection to a file that this process has open already. The opener of the first one has the folder locked and must outlive
 * this one. Throws `DatabaseStartError`.
 */
export function openSqliteAgain(file: string, { writeTurns, derived }: AnotherConnection = {}): OpenDatabase {
  const database = openFile(file);
  if (derived === true) database.exec(DERIVED_SETTINGS);
  return openConnection(new SqliteConnection(database, writeTurns), file, () => undefined);
}

function openConnection(connection: SqliteConnection, file: string, afterClose: () => void): OpenDatabase {
  const db = new Kysely<Tables>({ dialect: new SharedSqliteDialect(connection) });
  return {
    kind: "sqlite",
    db,
    sqliteFile: {
      path: file,
      writeTurns: connection.writes,
      async whileOthersWrite(work) {
        await connection.writes.take();
        try {
          return await work();
        } finally {
          connection.writes.release();
        }
      },
    },
    writeTransaction: (work) => connection.writeTransaction(work),
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
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseStartError(`DATA_DIR: the database file ${file} cannot be opened: ${reason}`, { cause: error });
  }
}

/** Up to 3.51.2 a rare race in the write-ahead log could damage the file (sqlite.org/releaselog/3_51_3.html). */
const OLDEST_SAFE_VERSION = "3.51.3";

/** What makes a commit durable, and what keeps memory in bounds. `synchronous = full` is what survives a power cut. */
const SETTINGS = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma foreign_keys = on;
  pragma busy_timeout = 5000;
  pragma mmap_size = 0;
  pragma temp_store = memory;
  pragma cache_size = -65536;
  pragma wal_autocheckpoint = 8000;
  pragma journal_size_limit = 67108864;
`;

/** Between two checkpoints nothing waits for the disk; the file stays whole, whatever happens (sqlite.org/pragma.html#pragma_synchronous). */
const DERIVED_SETTINGS = `
  pragma synchronous = normal;
  pragma cache_size = -16384;
`;

/** Makes the connection durable and checks that it is. Throws `DatabaseStartError` when SQLite is too old or refuses a setting. */
function applySqliteSettings(database: DatabaseSync): void {
  const version = String(database.prepare("select sqlite_version() as version").get()?.["version"]);
  if (isOlder(version, OLDEST_SAFE_VERSION)) {
    throw new DatabaseStartError(
      `SQLite ${version} is too old: ${OLDEST_SAFE_VERSION} or newer is needed. Start with the Node.js that the project brings.`,
    );
  }
  database.exec(SETTINGS);
  requireSetting(database, "journal_mode", "wal");
  requireSetting(database, "synchronous", 2);
  requireSetting(database, "foreign_keys", 1);
}

/** Whether the first dotted version is older than the second. */
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
