import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { LogStore } from "@one-api/log-store/log-store";
import { shareLogStore } from "@one-api/log-store/shared-log-store";
import type { Logger } from "pino";
import { workerEnvironment } from "../config.ts";
import { readListening } from "./worker.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));

const FIRST_RESTART_MS = 1_000;
const LONGEST_RESTART_MS = 60_000;

interface WorkersParts {
  readonly workers: number;
  /** Opens the log store that all workers ask: a machine has one replica. */
  readonly openLogStore: () => LogStore;
  readonly log: Logger;
}

/**
 * Starts processes that listen on one port (SO_REUSEPORT: the system spreads connections), and starts each again that ends. Passes signals to stop on
 * to them. Resolves with the exit code once all have ended: 0 after a stop, or that of a first worker that could not start.
 */
export function runWorkers(parts: WorkersParts): Promise<number> {
  return new Workers(parts).run();
}

class Workers {
  readonly #parts: WorkersParts;
  readonly #running = new Set<ChildProcess>();
  readonly #stopping = new AbortController();
  #port: number | undefined;

  constructor(parts: WorkersParts) {
    this.#parts = parts;
  }

  async run(): Promise<number> {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => this.#stop(signal));
    const { workers, openLogStore } = this.#parts;
    // Alone, it migrates the database, and reports errors of the configuration.
    const first = this.#start(1);
    this.#port = await portOf(first);
    if (this.#port === undefined) return first.exitCode ?? 1;
    const logStore = openLogStore();
    // The signal may have come while the first one started.
    const count = this.#stopping.signal.aborted ? 1 : workers;
    const started = Array.from({ length: count }, (_, index) => (index === 0 ? first : this.#start(index + 1)));
    await Promise.all(started.map((worker, index) => this.#keepRunning(index + 1, worker, logStore)));
    await logStore.close();
    return 0;
  }

  #stop(signal: "SIGTERM" | "SIGINT"): void {
    this.#stopping.abort();
    for (const worker of this.#running) worker.kill(signal);
  }

  #start(number: number): ChildProcess {
    const worker = fork(MAIN, [], { env: workerEnvironment(number, this.#port), serialization: "advanced" });
    this.#running.add(worker);
    worker.once("exit", () => this.#running.delete(worker));
    return worker;
  }

  async #keepRunning(number: number, started: ChildProcess, logStore: LogStore): Promise<void> {
    const { signal } = this.#stopping;
    let restartMs = FIRST_RESTART_MS;
    for (let worker = started; ; worker = this.#start(number)) {
      const startedMs = performance.now();
      share(logStore, worker);
      if (this.#running.has(worker)) await once(worker, "exit");
      if (signal.aborted) return;
      if (performance.now() - startedMs > LONGEST_RESTART_MS) restartMs = FIRST_RESTART_MS;
      const { exitCode, signalCode } = worker;
      this.#parts.log.error({ worker: number, exitCode, signalCode, restartMs }, "a worker ended; it is started again");
      await wait(restartMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      restartMs = Math.min(LONGEST_RESTART_MS, restartMs * 2);
    }
  }
}

function share(logStore: LogStore, worker: ChildProcess): void {
  const endQuestions = shareLogStore(logStore, {
    // A worker that has ended takes no messages.
    send: (message) => void worker.send(message, () => undefined),
    onMessage: (listener) => void worker.on("message", listener),
  });
  worker.once("exit", endQuestions);
}

/** Port on which the worker listens; undefined if it ends before. */
async function portOf(worker: ChildProcess): Promise<number | undefined> {
  return new Promise((resolve) => {
    worker.on("message", (message: unknown) => {
      const port = readListening(message);
      if (port !== undefined) resolve(port);
    });
    worker.once("exit", () => resolve(undefined));
  });
}
