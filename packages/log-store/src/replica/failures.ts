import { rmSync } from "node:fs";

/** The file was written by another version, or is no replica. It must be deleted. */
export class OutdatedReplicaError extends Error {
  override name = "OutdatedReplicaError";
}

/** The database no longer has changes that the replica lacks. The file must be deleted. */
export class LostChangesError extends Error {
  override name = "LostChangesError";
}

export class MissingEngineError extends Error {
  override name = "MissingEngineError";
}

/** Messages of DuckDB 1.5.6 about a file that it cannot read. Other databases' messages have no such beginning. */
const DAMAGED =
  /^(?:IO Error: .*(?:corrupt|not a valid DuckDB|read enough bytes|database file with version|storage version|replaying WAL)|Serialization Error: )/is;

/** After these, DuckDB answers nothing until the file is opened again. */
const FATAL = /^(?:FATAL|INTERNAL) Error/;

/** Neither the disk nor the memory is enough. */
const NO_ROOM = /No space left|quota exceeded|not enough space|could not allocate/i;

/**
 * | remedy | when                                                                         |
 * |--------|------------------------------------------------------------------------------|
 * | delete | the file is damaged, of another version, or lacks changes                    |
 * | reopen | a checkpoint had too little disk or memory: the file is intact, DuckDB ended |
 * | retry  | everything else: nothing was written                                         |
 */
export type Remedy = "delete" | "reopen" | "retry";

/** Returns the remedy for a replica after an error, or after the error's cause. */
export function remedyOf(error: unknown): Remedy {
  if (error instanceof OutdatedReplicaError || error instanceof LostChangesError) return "delete";
  if (!(error instanceof Error)) return "retry";
  if (error.cause !== undefined) return remedyOf(error.cause);
  if (NO_ROOM.test(error.message)) return FATAL.test(error.message) ? "reopen" : "retry";
  return DAMAGED.test(error.message) || FATAL.test(error.message) ? "delete" : "retry";
}

/** Deletes a replica with its write-ahead logs: an old one would be replayed into the new file. */
export function removeReplica(file: string): void {
  for (const ending of ["", ".wal", ".wal.checkpoint", ".wal.recovery", ".tmp"])
    rmSync(`${file}${ending}`, { recursive: true, force: true });
}
