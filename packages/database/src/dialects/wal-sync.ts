import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";
import { CommitOutcomeUnknownError } from "../database-errors.ts";

/** Puts a file's bytes on disk. */
export type SyncFile = (descriptor: number) => Promise<void>;

/** Of the thread pool; on macOS it empties the drive's cache too, as `fsync` there does not (libuv). */
const syncFile: SyncFile = promisify(fdatasync);

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Puts on disk what was committed to the write-ahead log of a SQLite file, in the thread pool, while the process goes on. SQLite itself writes
 * a commit to the log without waiting for the disk then (`synchronous = normal`): its frames are chained by checksums, so that once
 * they are on disk the commit stands with all before it, and until then none of it (sqlite.org/walformat.html). The log is the same file
 * for as long as any connection is open, and SQLite keeps no locks on it that closing it here could drop.
 */
export class WalSync {
  readonly #descriptor: number;
  readonly #syncFile: SyncFile;
  #waiting: Waiter[] = [];
  #isRunning = false;
  #isBroken = true;

  /** @param file the database; its log must be there. Throws what the system says when it cannot be opened. */
  constructor(file: string, sync: SyncFile = syncFile) {
    this.#descriptor = openSync(`${file}-wal`, "r+");
    this.#syncFile = sync;
  }

  /**
   * True once the disk has failed, and at first, as it may have failed for a process before. The system takes for written from then on what
   * it could not write, so that no later sync is worth anything until the log has begun anew.
   */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Says that everything committed has been synced to the database file, and that the log is empty. */
  beginAnew(): void {
    this.#isBroken = false;
  }

  /** Resolves once everything that was committed before is on disk. Rejects with CommitOutcomeUnknownError when the disk fails. */
  whenOnDisk(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  /** Closes the log after the last sync; nothing may be committed any more. */
  async close(): Promise<void> {
    if (this.#isRunning) await this.whenOnDisk().catch(() => undefined);
    closeSync(this.#descriptor);
  }

  /** One at a time: it may not see what is committed meanwhile, which shares the next one. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      const waiting = this.#waiting;
      this.#waiting = [];
      const failure = await this.#sync();
      for (const { resolve, reject } of waiting)
        if (failure === undefined) resolve();
        else reject(failure);
    }
    this.#isRunning = false;
  }

  async #sync(): Promise<Error | undefined> {
    let cause: unknown;
    if (!this.#isBroken) {
      try {
        await this.#syncFile(this.#descriptor);
        return undefined;
      } catch (error) {
        this.#isBroken = true;
        cause = error;
      }
    }
    return new CommitOutcomeUnknownError("The disk of the database fails: a commit could not be synced", { cause });
  }
}
