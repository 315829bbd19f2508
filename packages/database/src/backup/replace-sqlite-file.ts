import { closeSync, existsSync, fsyncSync, openSync, renameSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DatabaseStartError } from "../database-errors.ts";
import { findRealFile, SQLITE_FILE } from "../dialects/sqlite-folder.ts";

/**
 * Replaces the database file in the locked data folder by a closed one. Empties the old write-ahead log first: SQLite
 * would apply it to the new file. Throws DatabaseStartError if that fails.
 */
export function replaceSqliteFile(dataDirectory: string, replacement: string): void {
  const file = findRealFile(path.join(dataDirectory, SQLITE_FILE));
  if (existsSync(file)) emptyLogOf(file);
  syncPath(replacement);
  renameSync(replacement, file);
  syncPath(path.dirname(file));
}

function emptyLogOf(file: string): void {
  try {
    const old = new DatabaseSync(file, { timeout: 0 });
    try {
      // Leaving WAL removes the log, and fails while another program has the file open.
      const mode = old.prepare("pragma journal_mode = delete").get()?.["journal_mode"];
      if (mode !== "delete") throw new Error(`its journal mode stays ${String(mode)}`);
    } finally {
      old.close();
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseStartError(
      `The old database ${file} cannot be closed: ${reason}. End the programs that read it. If it is damaged, move it, ${SQLITE_FILE}-wal and ${SQLITE_FILE}-shm elsewhere, and restore again.`,
      { cause: error },
    );
  }
}

function syncPath(target: string): void {
  const handle = openSync(target, "r");
  fsyncSync(handle);
  closeSync(handle);
}
