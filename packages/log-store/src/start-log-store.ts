import { type ChildProcess, fork } from "node:child_process";
import { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import type { ChildStart, FromChild, ToChild } from "./child/messages.ts";
import { TIME_LIMIT_MS } from "./child/question-queue.ts";
import { type LogStore, LogStoreError, type LogStoreState, type LogStoreStatus } from "./log-store.ts";
import type { Answered, AnswerTo, LogQuestion } from "./questions.ts";
import { removeReplica } from "./replica/failures.ts";

/** Delay of the start, in ms, because the server's own start is busy. A question starts it at once. */
const START_AFTER_MS = 5_000;
/** Time limit of opening, in ms. It includes the lock of the previous process, the write-ahead log and the check of the tail. */
const OPENING_LIMIT_MS = 60_000;
/** Most questions that wait or run. */
const MOST_QUESTIONS = 32;
/** One question runs at a time. A child that has not ended one by then, after its time limit, is killed. */
const SILENCE_LIMIT_MS = TIME_LIMIT_MS + 2_000;
const FIRST_RESTART_MS = 1_000;
const LONGEST_RESTART_MS = 60_000;
/** Idle time before the process ends, in ms. It takes 140 MB, which small machines need for requests. */
const IDLE_MS = 300_000;
/** Interval in which an idle log store copies new entries, in ms, so that the next question waits for few of them. */
const CATCH_UP_EVERY_MS = 3_600_000;
/** Characters of the child's stderr that are logged when it ends. */
const MOST_STDERR = 2_000;

const CHILD = fileURLToPath(new URL("child/main.ts", import.meta.url));

/** Returns freed memory to the system at once: 344 to 267 MB at the peak. */
const MALLOC_SETTINGS = fileURLToPath(new URL("child/malloc.env", import.meta.url));

/** JavaScript's own heap: a step's entries and an answer's rows. No flag of the server is inherited: `--inspect-brk` would stop the child. */
const NODE_FLAGS = [
  "--max-old-space-size=64",
  "--max-semi-space-size=2",
  "--disable-warning=ExperimentalWarning",
  `--env-file=${MALLOC_SETTINGS}`,
];

interface LogStoreLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface LogStoreOptions {
  readonly start: ChildStart;
  readonly log: LogStoreLog;
  readonly startAfterMs?: number;
  readonly child?: string;
  readonly silenceLimitMs?: number;
  readonly idleMs?: number;
  readonly catchUpEveryMs?: number;
}

interface Pending {
  readonly question: LogQuestion;
  readonly resolve: (answered: Answered<unknown>) => void;
  readonly reject: (error: LogStoreError) => void;
  readonly stopWaiting: () => void;
}

/**
 * Starts the log store in its own process, which is restarted after a failure. An idle one ends until the next question
 * or catch-up.
 */
export function startLogStore(options: LogStoreOptions): LogStore {
  return new ChildLogStore(options);
}

class ChildLogStore implements LogStore {
  readonly #options: LogStoreOptions;
  readonly #pending = new Map<number, Pending>();
  #child: ChildProcess | undefined;
  #isReady = false;
  #isClosed = false;
  /** The file is deleted once the process that has it open has ended. */
  #mustRemove = false;
  #isEnding = false;
  #wasAsked = false;
  #lastId = 0;
  #state: LogStoreState = "starting";
  #progress = 0;
  #behind = 0;
  #restartMs = FIRST_RESTART_MS;
  #startTimer: NodeJS.Timeout | undefined;
  #silenceTimer: NodeJS.Timeout | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #ended: Promise<void> = Promise.resolve();

  constructor(options: LogStoreOptions) {
    this.#options = options;
    this.#startLater(options.startAfterMs ?? START_AFTER_MS);
  }

  async status(): Promise<LogStoreStatus> {
    return { state: this.#state, progress: this.#progress, behind: this.#behind };
  }

  ask<Question extends LogQuestion>(question: Question, signal?: AbortSignal): Promise<Answered<AnswerTo<Question>>>;
  ask(question: LogQuestion, signal?: AbortSignal): Promise<Answered<unknown>> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed || this.#state === "off") return reject(unavailable());
      if (this.#pending.size >= MOST_QUESTIONS)
        return reject(new LogStoreError("busy", "Too many questions about the log at once. Ask again in a moment."));
      if (signal?.aborted === true) return reject(cancelled());
      const id = (this.#lastId += 1);
      const onAbort = () => this.#cancel(id);
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#pending.set(id, {
        question,
        resolve,
        reject,
        stopWaiting: () => signal?.removeEventListener("abort", onAbort),
      });
      this.#wasAsked = true;
      clearTimeout(this.#idleTimer);
      this.#start();
      if (this.#child !== undefined) keepAlive(this.#child, true);
      if (!this.#isReady) return;
      this.#post({ kind: "ask", id, question });
      if (this.#pending.size === 1) this.#watch();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#startTimer);
    clearTimeout(this.#idleTimer);
    this.#failAll(new LogStoreError("unavailable", "The server stops."));
    if (this.#child !== undefined) {
      keepAlive(this.#child, true);
      this.#child.kill("SIGKILL");
    }
    await this.#ended;
  }

  #startLater(ms: number): void {
    clearTimeout(this.#startTimer);
    this.#startTimer = setTimeout(() => this.#start(), ms).unref();
  }

  #start(): void {
    if (this.#isClosed || this.#child !== undefined || this.#state === "off") return;
    clearTimeout(this.#startTimer);
    if (this.#state !== "idle") this.#state = "starting";
    this.#wasAsked = this.#pending.size > 0;
    const startedMs = performance.now();
    const child = this.#fork();
    if (child === undefined) return;
    this.#child = child;
    let stderr = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(-MOST_STDERR);
    });
    child.on("message", (message: FromChild) => this.#receive(message));
    const ended = Promise.withResolvers<void>();
    this.#ended = ended.promise;
    const onEnd = (details: object) => {
      if (this.#child !== child) return;
      this.#onEnd({ ...details, stderr }, performance.now() - startedMs);
      ended.resolve();
    };
    // Not "exit": messages may arrive after it.
    child.once("close", (code, signal) => onEnd({ code, signal }));
    // Without a process there is no "close".
    child.on("error", (error) => {
      if (child.pid === undefined) onEnd({ err: error });
    });
    // The server stays alive by its own connections, and by questions.
    keepAlive(child, false);
    this.#killAfter(OPENING_LIMIT_MS);
    this.#post({ kind: "start", start: this.#options.start });
  }

  #fork(): ChildProcess | undefined {
    try {
      return fork(this.#options.child ?? CHILD, [], {
        serialization: "advanced",
        execArgv: NODE_FLAGS,
        stdio: ["ignore", "ignore", "pipe", "ipc"],
      });
    } catch (error) {
      this.#onEnd({ err: error }, 0);
      return undefined;
    }
  }

  #onEnd(details: object, ranMs: number): void {
    this.#child = undefined;
    this.#isReady = false;
    clearTimeout(this.#silenceTimer);
    if (this.#mustRemove) this.#removeFile();
    if (this.#isClosed || this.#state === "off") return;
    if (this.#isEnding) return this.#onIdleEnd();
    this.#state = "starting";
    this.#failAll(new LogStoreError("failed", "The log store ended. It is started again: ask once more."));
    if (ranMs > LONGEST_RESTART_MS) this.#restartMs = FIRST_RESTART_MS;
    this.#options.log.warn({ ...details, restartMs: this.#restartMs }, "the log store ended; it is started again");
    this.#startLater(this.#restartMs);
    this.#restartMs = Math.min(LONGEST_RESTART_MS, this.#restartMs * 2);
  }

  #onIdleEnd(): void {
    this.#isEnding = false;
    this.#startLater(this.#options.catchUpEveryMs ?? CATCH_UP_EVERY_MS);
    if (this.#pending.size > 0) this.#start();
  }

  #endIdle(): void {
    if (this.#child === undefined || this.#pending.size > 0 || this.#state !== "following") return;
    this.#state = "idle";
    this.#isEnding = true;
    this.#isReady = false;
    this.#child.kill("SIGKILL");
  }

  #removeFile(): void {
    this.#mustRemove = false;
    try {
      removeReplica(this.#options.start.file);
    } catch (error) {
      this.#options.log.error({ err: error }, "the log store's damaged file cannot be deleted");
    }
  }

  #receive(message: FromChild): void {
    const { log } = this.#options;
    switch (message.kind) {
      case "ready":
        this.#isReady = true;
        for (const [id, { question }] of this.#pending) this.#post({ kind: "ask", id, question });
        return this.#watch();
      case "answer":
        this.#end(message.id)?.resolve(message.answered);
        return this.#watch();
      case "failure":
        this.#end(message.id)?.reject(new LogStoreError(message.code, message.message));
        return this.#watch();
      case "status":
        if (this.#isEnding) return;
        this.#state = message.status.state;
        this.#progress = message.status.progress;
        this.#behind = message.status.behind;
        if (!this.#wasAsked) this.#endIdle();
        return;
      case "stalled":
        log.error({ reason: message.message }, "the log store could not read or write; it tries again");
        return;
      case "damaged":
        log.warn({ reason: message.message }, "the log store's file is damaged or outdated; it is rebuilt");
        this.#mustRemove = true;
        this.#child?.kill("SIGKILL");
        return;
      case "unavailable":
        log.warn(
          { reason: message.message },
          "there is no DuckDB for this platform: the log has no totals and no dashboards",
        );
        this.#state = "off";
        this.#failAll(unavailable());
    }
  }

  /** Called whenever a question has ended: the next one has the whole time limit. */
  #watch(): void {
    if (this.#pending.size === 0) clearTimeout(this.#silenceTimer);
    else this.#killAfter(this.#options.silenceLimitMs ?? SILENCE_LIMIT_MS);
  }

  #killAfter(ms: number): void {
    clearTimeout(this.#silenceTimer);
    this.#silenceTimer = setTimeout(() => this.#child?.kill("SIGKILL"), ms).unref();
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
    if (this.#pending.size === 0 && this.#child !== undefined) {
      keepAlive(this.#child, false);
      clearTimeout(this.#idleTimer);
      this.#idleTimer = setTimeout(() => this.#endIdle(), this.#options.idleMs ?? IDLE_MS).unref();
    }
    return pending;
  }

  #failAll(error: LogStoreError): void {
    for (const id of this.#pending.keys()) this.#end(id)?.reject(error);
  }

  /** An ended child takes no messages; its end fails all pending questions. */
  #post(message: ToChild): void {
    this.#child?.send(message, () => undefined);
  }
}

function keepAlive(child: ChildProcess, isKept: boolean): void {
  const method = isKept ? "ref" : "unref";
  child[method]();
  child.channel?.[method]();
  if (child.stderr instanceof Socket) child.stderr[method]();
}

function cancelled(): LogStoreError {
  return new LogStoreError("cancelled", "The question was cancelled.");
}

function unavailable(): LogStoreError {
  return new LogStoreError("unavailable", "This server has no log store.");
}
