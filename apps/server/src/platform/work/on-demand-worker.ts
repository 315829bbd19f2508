import type { Worker } from "node:worker_threads";

export interface OnDemandWorkerOptions<Message> {
  readonly start: () => Worker;
  readonly idleMs: number;
  readonly onMessage: (message: Message) => void;
  readonly onExit: () => void;
}

/**
 * A worker thread that starts with its first task and ends when idle. An idle thread does not keep the
 * process alive.
 */
export class OnDemandWorker<Message> {
  readonly #parts: OnDemandWorkerOptions<Message>;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(parts: OnDemandWorkerOptions<Message>) {
    this.#parts = parts;
  }

  post(task: object, moved: ArrayBuffer): void {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage(task, [moved]);
  }

  idle(): void {
    clearTimeout(this.#idle);
    this.#worker?.unref();
    this.#idle = setTimeout(() => this.stop(), this.#parts.idleMs).unref();
  }

  stop(): void {
    const last = this.#worker;
    this.#worker = undefined;
    void last?.terminate();
  }

  #start(): Worker {
    const { start, onMessage, onExit } = this.#parts;
    const started = start();
    const forget = () => {
      if (this.#worker !== started) return;
      this.#worker = undefined;
      onExit();
    };
    started.on("message", (message: Message) => {
      if (this.#worker === started) onMessage(message);
    });
    started.on("error", forget);
    started.on("exit", forget);
    return started;
  }
}
