import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DatabaseStartError } from "../database-errors.ts";

const OWNER_ONLY = 0o600;
/** SQLITE_BUSY (sqlite.org/rescode.html). */
const BUSY = 5;

/** Makes the data folder when it is missing, readable by its owner only. */
export function prepareDataDirectory(dataDirectory: string): void {
  try {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new DatabaseStartError(`DATA_DIR: the folder ${dataDirectory} cannot be made`, { cause: error });
  }
}

/**
 * Makes the file when it is missing and takes other people's rights away. A file that exists is never opened here: closing any
 * handle on a file drops this process's POSIX locks on it, SQLite's among them.
 */
export function prepareOwnerOnlyFile(file: string): void {
  try {
    if (existsSync(file)) chmodSync(file, OWNER_ONLY);
    else closeSync(openSync(file, "wx", OWNER_ONLY));
  } catch (error) {
    if (existsSync(file) && isNotOwner(error)) return;
    throw new DatabaseStartError(`DATA_DIR: the file ${file} cannot be made or secured`, { cause: error });
  }
}

/**
 * Locks the data folder against other processes, and returns what unlocks it. The lock is SQLite's own lock on a small file beside the
 * database: the kernel frees it when the process ends, however it ends. Throws `DatabaseStartError` when somebody else holds it.
 */
export function lockDataDirectory(dataDirectory: string): () => void {
  const file = path.join(dataDirectory, "one-api.lock");
  prepareOwnerOnlyFile(file);
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec("pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive");
  } catch (error) {
    lock.close();
    if (!isBusy(error))
      throw new DatabaseStartError(`DATA_DIR: the lock file ${file} cannot be used`, { cause: error });
    throw new DatabaseStartError(
      `DATA_DIR: the folder ${path.resolve(dataDirectory)} is in use by another running One API. Stop that process, or give this one a folder of its own.`,
      { cause: error },
    );
  }
  return () => lock.close();
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === BUSY;
}

function isNotOwner(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPERM";
}

/** Name of the SQLite file in the data folder. */
export const SQLITE_FILE = "one-api.db";
