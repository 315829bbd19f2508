import { Worker } from "node:worker_threads";
import type { SqliteFile } from "@one-api/database/open-database";
import type { FailureLog, RepeatedWork } from "../core/work/repeat-work.ts";

/** What the thread that sums up the log is told. */
export type ToLogSums =
  | { readonly kind: "turn" }
  | { readonly kind: "no-turn"; readonly reason: string }
  | { readonly kind: "stop" };

/** What it tells. */
export type FromLogSums =
  | { readonly kind: "take-turn" }
  | { readonly kind: "release-turn" }
  | { readonly kind: "failed"; readonly job: string; readonly error: Error };

const JOB = "log sums";
/** Until the thread is started, and started anew when it died, in ms: the start of a server is busy enough without it. */
const START_AFTER_MS = 5_000;

/** Starts the thread; it opens the file by itself. */
export function startLogSumsThread(file: string): Worker {
  return new Worker(new URL("./log-sums-thread.ts", import.meta.url), { workerData: { file } });
}

/** Sums up the log in a thread of its own, which writes in its turn among this process's connections. One that dies is started anew. */
export function keepInThread(
  file: SqliteFile,
  log: FailureLog,
  start: typeof startLogSumsThread = startLogSumsThread,
  startAfterMs = START_AFTER_MS,
): Pick<RepeatedWork, "stop"> {
  let isStopping = false;
  let running: { readonly thread: Worker; readonly ended: Promise<void> } | undefined;
  const run = () => {
    const thread = start(file.path);
    // The server stays alive by what it listens to.
    thread.unref();
    const turn = new LentTurn(file, (message) => thread.postMessage(message));
    thread.on("message", (message: FromLogSums) => {
      if (message.kind === "take-turn") void turn.take();
      else if (message.kind === "release-turn") turn.release();
      else log.error({ err: message.error, job: message.job }, "work beside requests failed; it is tried again");
    });
    thread.on("error", (error) => log.error({ err: error, job: JOB }, "a thread died; it is started anew"));
    const ended = new Promise<void>((resolve) => {
      thread.once("exit", () => {
        turn.end();
        if (!isStopping) nextStart = setTimeout(run, startAfterMs).unref();
        resolve();
      });
    });
    running = { thread, ended };
  };
  let nextStart = setTimeout(run, startAfterMs).unref();
  return {
    async stop() {
      isStopping = true;
      clearTimeout(nextStart);
      running?.thread.ref();
      running?.thread.postMessage({ kind: "stop" } satisfies ToLogSums);
      await running?.ended;
    },
  };
}

/** The turn to write that a thread has or waits for; it has one at a time. */
class LentTurn {
  readonly #file: SqliteFile;
  readonly #tell: (message: ToLogSums) => void;
  #isHeld = false;
  #isOver = false;

  constructor(file: SqliteFile, tell: (message: ToLogSums) => void) {
    this.#file = file;
    this.#tell = tell;
  }

  async take(): Promise<void> {
    try {
      await this.#file.writeTurns.take();
    } catch (error) {
      return this.#tell({ kind: "no-turn", reason: error instanceof Error ? error.message : String(error) });
    }
    this.#isHeld = true;
    if (this.#isOver) this.release();
    else this.#tell({ kind: "turn" });
  }

  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#file.writeTurns.release();
  }

  /** The thread is gone, with whatever it was writing. */
  end(): void {
    this.#isOver = true;
    this.release();
  }
}
