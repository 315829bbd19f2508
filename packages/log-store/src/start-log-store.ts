import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ChildStart, FromChild, ToChild } from "./child/messages.ts";
import { TIME_LIMIT_MS } from "./child/question-queue.ts";
import { removeReplica } from "./engine.ts";
import { type LogStore, LogStoreError, type LogStoreState, type LogStoreStatus } from "./log-store.ts";
import type { Answered, AnswerTo, LogQuestion } from "./questions.ts";

/** The server's start is busy enough without it; a question starts it at once. */
const START_AFTER_MS = 5_000;
/** Questions that wait or run. */
const MOST_QUESTIONS = 32;
/** The child is killed when a question has no answer so long after its time limit, in ms. */
const HANGING_MS = 2_000;
const FIRST_RESTART_MS = 1_000;
const LONGEST_RESTART_MS = 60_000;

const CHILD = fileURLToPath(new URL("child/main.ts", import.meta.url));

/** JavaScript's own heap: a step's entries and an answer's rows. */
const NODE_FLAGS = ["--max-old-space-size=64", "--max-semi-space-size=2", "--disable-warning=ExperimentalWarning"];
/** Freed memory is returned to the system at once (jemalloc): 344 to 267 MB at the peak. */
const ENVIRONMENT = { DUCKDB_JE_MALLOC_CONF: "dirty_decay_ms:0,muzzy_decay_ms:0" };

/** Where problems of the child process are logged. */
export interface LogStoreLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface LogStoreOptions {
  readonly start: ChildStart;
  readonly log: LogStoreLog;
  /** For tests. */
  readonly startAfterMs?: number;
  readonly child?: string;
}

interface Pending {
  readonly question: LogQuestion;
  readonly resolve: (answered: Answered<unknown>) => void;
  readonly reject: (error: LogStoreError) => void;
  readonly stopWaiting: () => void;
}

/** Starts the log store in a process of its own. A process that dies or hangs is started again. */
export function startLogStore(options: LogStoreOptions): LogStore {
  return new ChildLogStore(options);
}

class ChildLogStore implements LogStore {
  readonly #options: LogStoreOptions;
  readonly #pending = new Map<number, Pending>();
  #child: ChildProcess | undefined;
  #isReady = false;
  #isClosed = false;
  #lastId = 0;
  #state: LogStoreState = "starting";
  #progress = 0;
  #restartMs = FIRST_RESTART_MS;
  #timer: NodeJS.Timeout;
  #exited: Promise<void> = Promise.resolve();

  constructor(options: LogStoreOptions) {
    this.#options = options;
    this.#timer = setTimeout(() => this.#start(), options.startAfterMs ?? START_AFTER_MS).unref();
  }

  status(): LogStoreStatus {
    return { state: this.#state, progress: this.#progress };
  }

  ask<Question extends LogQuestion>(question: Question, signal?: AbortSignal): Promise<Answered<AnswerTo<Question>>> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed || this.#state === "off")
        return reject(new LogStoreError("unavailable", "This server has no log store."));
      if (this.#pending.size >= MOST_QUESTIONS)
        return reject(new LogStoreError("busy", "Too many questions about the log at once. Ask again in a moment."));
      if (signal?.aborted === true) return reject(cancelled());
      const id = (this.#lastId += 1);
      const onAbort = () => this.#cancel(id);
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#pending.set(id, {
        question,
        // The child answers each kind of question with its kind of answer.
        resolve: resolve as (answered: Answered<unknown>) => void,
        reject,
        stopWaiting: () => signal?.removeEventListener("abort", onAbort),
      });
      if (this.#child === undefined) this.#start();
      else if (this.#isReady) this.#send(id, question);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#failAll(new LogStoreError("unavailable", "The server stops."));
    this.#child?.kill("SIGKILL");
    await this.#exited;
  }

  #start(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed || this.#child !== undefined || this.#state === "off") return;
    this.#state = "starting";
    const child = fork(this.#options.child ?? CHILD, [], {
      serialization: "advanced",
      execArgv: NODE_FLAGS,
      env: { ...process.env, ...ENVIRONMENT },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#child = child;
    const startedMs = performance.now();
    this.#exited = new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        this.#onExit({ code, signal, ranMs: performance.now() - startedMs });
        resolve();
      });
      child.once("error", () => undefined);
    });
    child.on("message", (message: FromChild) => this.#receive(message));
    // The server stays alive by what it listens to.
    child.unref();
    child.channel?.unref();
    this.#post({ kind: "start", start: this.#options.start });
  }

  #onExit({ code, signal, ranMs }: { code: number | null; signal: string | null; ranMs: number }): void {
    this.#child = undefined;
    this.#isReady = false;
    if (this.#isClosed || this.#state === "off") return;
    this.#state = "starting";
    this.#failAll(new LogStoreError("failed", "The log store ended. It is started again: ask once more."));
    if (ranMs > LONGEST_RESTART_MS) this.#restartMs = FIRST_RESTART_MS;
    this.#options.log.warn({ code, signal, restartMs: this.#restartMs }, "the log store ended; it is started again");
    this.#timer = setTimeout(() => this.#start(), this.#restartMs).unref();
    this.#restartMs = Math.min(LONGEST_RESTART_MS, this.#restartMs * 2);
  }

  #receive(message: FromChild): void {
    const { log, start } = this.#options;
    switch (message.kind) {
      case "ready":
        this.#isReady = true;
        for (const [id, { question }] of this.#pending) this.#send(id, question);
        return;
      case "answer":
        return this.#end(message.id)?.resolve(message.answered);
      case "failure":
        return this.#end(message.id)?.reject(new LogStoreError(message.code, message.message));
      case "status":
        this.#state = message.status.state;
        this.#progress = message.status.progress;
        return;
      case "stalled":
        log.error({ reason: message.message }, "the log store could not read or write; it tries again");
        return;
      case "damaged":
        log.warn(
          { reason: message.message },
          "the log store's file cannot be used; it is built again from the database",
        );
        removeReplica(start.file);
        this.#restartMs = FIRST_RESTART_MS;
        return;
      case "unavailable":
        log.warn(
          { reason: message.message },
          "there is no DuckDB for this platform: the log has no totals and no dashboards",
        );
        this.#state = "off";
        this.#failAll(new LogStoreError("unavailable", "This server has no log store."));
    }
  }

  #send(id: number, question: LogQuestion): void {
    this.#post({ kind: "ask", id, question });
    const timer = setTimeout(
      () => {
        if (this.#pending.has(id)) this.#child?.kill("SIGKILL");
      },
      TIME_LIMIT_MS * (this.#pending.size + 1) + HANGING_MS,
    );
    timer.unref();
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.set(id, {
      ...pending,
      stopWaiting: () => {
        clearTimeout(timer);
        pending.stopWaiting();
      },
    });
  }

  #cancel(id: number): void {
    const pending = this.#end(id);
    if (pending === undefined) return;
    if (this.#isReady) this.#post({ kind: "cancel", id });
    pending.reject(cancelled());
  }

  #end(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.stopWaiting();
    return pending;
  }

  #failAll(error: LogStoreError): void {
    for (const id of [...this.#pending.keys()]) this.#end(id)?.reject(error);
  }

  /** A child that has ended takes no messages; its exit fails what is pending. */
  #post(message: ToChild): void {
    this.#child?.send(message, () => undefined);
  }
}

function cancelled(): LogStoreError {
  return new LogStoreError("cancelled", "The question was cancelled.");
}
