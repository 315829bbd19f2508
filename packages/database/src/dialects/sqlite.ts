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
    const connection = new SqliteConnection(openFile(path.join(dataDirectory, SQLITE_FILE)));
    const db = new Kysely<Tables>({ dialect: new SharedSqliteDialect(connection) });
    return {
      kind: "sqlite",
      db,
      writeTransaction: (work) => connection.writeTransaction(work),
      close: async () => {
        if (!(await connection.close())) return;
        await db.destroy();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
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
