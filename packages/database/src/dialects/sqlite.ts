import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import { DatabaseStartError } from "../database-errors.ts";
import type { OpenDatabase } from "../open-database.ts";
import type { Tables } from "../tables.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import { SQLITE_FILE } from "./sqlite-file-name.ts";
import { lockDataDirectory, prepareDataDirectory, prepareOwnerOnlyFile } from "./sqlite-folder.ts";
import { SharedSqliteDialect } from "./sqlite-kysely-dialect.ts";
import { applySqliteSettings } from "./sqlite-settings.ts";

/**
 * Opens the SQLite file in the data folder, making both when they are missing, and holds the folder against other processes
 * until it is closed. Throws `DatabaseStartError` naming the folder and the fix.
 */
export async function openSqlite(dataDirectory: string): Promise<OpenDatabase> {
  prepareDataDirectory(dataDirectory);
  const unlock = lockDataDirectory(dataDirectory);
  try {
    return openConnection(path.join(dataDirectory, SQLITE_FILE), unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * Opens one more connection to a file that this process has open already, for a thread of its own. The opener of the first one has the
 * folder locked and must outlive this one. Throws `DatabaseStartError`.
 */
export function openSqliteAgain(file: string): OpenDatabase {
  return openConnection(file, () => undefined);
}

function openConnection(file: string, afterClose: () => void): OpenDatabase {
  const connection = new SqliteConnection(openFile(file));
  const db = new Kysely<Tables>({ dialect: new SharedSqliteDialect(connection) });
  return {
    kind: "sqlite",
    db,
    sqliteFile: {
      path: file,
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
