import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";
import { CommitOutcomeUnknownError } from "../database-errors.ts";

export type SyncFile = (descriptor: number) => Promise<void>;

/** In the thread pool; on macOS it also empties the drive's cache, unlike `fsync` there (libuv). */
const syncFile: SyncFile = promisify(fdatasync);

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Syncs commits in the write-ahead log of a SQLite file, in the thread pool. SQLite writes commits without waiting for
 * the disk (`synchronous = normal`). Frames are chained by checksums: a synced commit is durable with all before it
 * (sqlite.org/walformat.html). The WAL stays the same file while any connection is open, and has no locks that closing
 * it here could drop.
 */
export class WalSync {
  readonly #descriptor: number;
  readonly #syncFile: SyncFile;
  #waiting: Waiter[] = [];
  #isRunning = false;
  #isBroken = true;

  /** @param file the database, whose WAL must exist. Throws the system's error. */
  constructor(file: string, sync: SyncFile = syncFile) {
    this.#descriptor = openSync(`${file}-wal`, "r+");
    this.#syncFile = sync;
  }

  /**
   * True after a failed sync, and at first, because an earlier process may have failed. The system then reports failed
   * pages as written: no sync counts until the WAL is restarted.
   */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Call after everything was synced into the database file and the WAL is empty. */
  beginAnew(): void {
    this.#isBroken = false;
  }

  /** Resolves once all earlier commits are on disk. Rejects with CommitOutcomeUnknownError if the disk fails. */
  whenOnDisk(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  /** Closes the WAL after the last sync. No commit may follow. */
  async close(): Promise<void> {
    if (this.#isRunning) await this.whenOnDisk().catch(() => undefined);
    closeSync(this.#descriptor);
  }

  /** One sync at a time; later commits share the next one. */
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
