import { Worker } from "node:worker_threads";
import { CommitOutcomeUnknownError, DatabaseUnavailableError } from "@one-api/database/database-errors";
import type { SqliteFile } from "@one-api/database/open-database";
import type { CommitReply, CommitRequest, GroupCommitter, LedgerThreadStart } from "./commit-groups.ts";
import type { LedgerOutcome } from "./run-ledger-group.ts";

/**
 * Commits in a thread of its own, so that relayed requests go on while the disk syncs. Groups come one at a time, each in its turn among
 * this process's other writes. A thread that dies is started anew; the group that it had is refused as unavailable, and may be committed or not.
 */
export function createThreadedGroupCommitter(
  file: SqliteFile,
  startThread: (start: LedgerThreadStart) => Worker = startLedgerThread,
): GroupCommitter {
  let thread: Worker | undefined;
  const running = () => {
    if (thread !== undefined) return thread;
    const started = startThread({ file: file.path });
    // A dead thread has nothing to wait for; its end is told to whoever waits for an answer.
    const forget = () => {
      if (thread === started) thread = undefined;
    };
    started.on("error", forget);
    started.on("exit", forget);
    started.unref();
    thread = started;
    return started;
  };
  running();
  return {
    commit: (group, attempt) => file.whileOthersWrite(() => ask(running(), { group, attempt })),
    async close() {
      const last = thread;
      await file.whileOthersWrite(async () => last?.terminate());
    },
  };
}

/** Starts the thread; it opens the file by itself. */
export function startLedgerThread(start: LedgerThreadStart): Worker {
  return new Worker(new URL("./ledger-thread.ts", import.meta.url), { workerData: start });
}

/** The process stays alive while somebody waits for a commit, and not for the thread alone. */
function ask(thread: Worker, request: CommitRequest) {
  return new Promise<readonly LedgerOutcome[]>((resolve, reject) => {
    const answered = (reply: CommitReply) => {
      stop();
      if (reply.ok) resolve(reply.outcomes);
      else reject(reply.unavailable ? new DatabaseUnavailableError(reply.message) : new Error(reply.message));
    };
    const died = (cause: unknown) => {
      stop();
      reject(new CommitOutcomeUnknownError("The ledger's thread died.", { cause }));
    };
    const stop = () => {
      thread.off("message", answered);
      thread.off("error", died);
      thread.off("exit", died);
      thread.unref();
    };
    thread.ref();
    thread.on("message", answered);
    thread.on("error", died);
    thread.on("exit", died);
    thread.postMessage(request);
  });
}
