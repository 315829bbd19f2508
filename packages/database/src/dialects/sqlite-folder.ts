import { chmodSync, closeSync, existsSync, openSync, readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DatabaseStartError } from "../database-errors.ts";
import { makeFolder } from "../make-folder.ts";

const OWNER_ONLY = 0o600;
/** SQLITE_BUSY (sqlite.org/rescode.html). */
const BUSY = 5;

/** Creates a missing data folder, readable by its owner only. */
export function prepareDataDirectory(dataDirectory: string): void {
  try {
    makeFolder(dataDirectory);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseStartError(
      `DATA_DIR: the folder ${dataDirectory} cannot be made: ${reason}. Make it and give it to this user, or set DATA_DIR to another folder.`,
      { cause: error },
    );
  }
}

/**
 * Creates a missing file, and restricts its access to the owner. Never opens an existing file: closing a handle would
 * drop this process's POSIX locks on it, including SQLite's.
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
 * Returns the real path, so that all paths to the file share one lock. Throws `DatabaseStartError` for a hard link or a
 * file mount: a second path has a second write-ahead log, which damages the database (sqlite.org/howtocorrupt.html).
 */
export function findRealFile(file: string): string {
  if (!existsSync(file)) return file;
  const real = realpathSync(file);
  const one = "Remove the others, and point DATA_DIR at the folder where it is.";
  const found = statSync(real);
  if (found.isFile() && found.nlink > 1)
    throw new DatabaseStartError(`DATA_DIR: the database file ${real} has several names (hard links). ${one}`);
  if (isMountPoint(real))
    throw new DatabaseStartError(`DATA_DIR: the database file ${real} is mounted by itself. Mount its folder instead.`);
  return real;
}

/**
 * Linux lists its mounts (proc_pid_mountinfo(5): the fifth field, spaces as \\040). Other systems have no file mounts.
 */
function isMountPoint(file: string): boolean {
  const mounts = "/proc/self/mountinfo";
  if (!existsSync(mounts)) return false;
  const escaped = file.replaceAll(" ", "\\040");
  return readFileSync(mounts, "utf8")
    .split("\n")
    .some((line) => line.split(" ")[4] === escaped);
}

/**
 * Locks the data folder against other processes; returns the unlock. It is SQLite's lock on a small file beside the
 * database, which the kernel frees at the end of the process. Throws `DatabaseStartError` if it is taken.
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

export const SQLITE_FILE = "one-api.db";
