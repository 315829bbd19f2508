import type { Worker } from "node:worker_threads";

/** What a thread is made of that rests without work. */
export interface RestingThreadParts<Said> {
  readonly start: () => Worker;
  /** Without work for this long it ends, and its memory is free again. In ms. */
  readonly idleMs: number;
  /** Is told what it says, until it is stopped. */
  readonly heard: (said: Said) => void;
  /** It has ended by itself. */
  readonly died: () => void;
}

/** A thread that starts with its first task, keeps no process alive while it has none, and ends after a while. */
export class RestingThread<Said> {
  readonly #parts: RestingThreadParts<Said>;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(parts: RestingThreadParts<Said>) {
    this.#parts = parts;
  }

  /** Gives it a task, in which the bytes are moved and not cloned. */
  give(task: object, moved: ArrayBuffer): void {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage(task, [moved]);
  }

  /** There is nothing to do for now. */
  rest(): void {
    clearTimeout(this.#idle);
    this.#worker?.unref();
    this.#idle = setTimeout(() => this.stop(), this.#parts.idleMs).unref();
  }

  /** Ends it, whatever it does; the next task starts another one. */
  stop(): void {
    const last = this.#worker;
    this.#worker = undefined;
    void last?.terminate();
  }

  #start(): Worker {
    const { start, heard, died } = this.#parts;
    const started = start();
    const forget = () => {
      if (this.#worker !== started) return;
      this.#worker = undefined;
      died();
    };
    started.on("message", (said: Said) => {
      if (this.#worker === started) heard(said);
    });
    started.on("error", forget);
    started.on("exit", forget);
    return started;
  }
}
