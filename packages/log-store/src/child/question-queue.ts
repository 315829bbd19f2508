import { LogStoreError } from "../log-store.ts";
import type { Answered, LogQuestion } from "../questions.ts";
import type { FromChild } from "./messages.ts";

export const TIME_LIMIT_MS = 10_000;

/** An interrupt between two statements of a question is lost, so it is repeated until the question has ended. */
const INTERRUPT_EVERY_MS = 20;

interface Waiting {
  readonly id: number;
  readonly question: LogQuestion;
}

interface Answering {
  ask(question: LogQuestion): Promise<Answered<unknown>>;
  interrupt(): void;
}

interface Running {
  readonly id: number;
  ended: "cancelled" | "time-limit" | undefined;
  interrupts: NodeJS.Timeout | undefined;
}

/** Questions of other processes, answered one at a time in the order of arrival. */
export class QuestionQueue {
  readonly #engine: Answering;
  readonly #send: (message: FromChild) => void;
  readonly #onFailure: (error: unknown) => void;
  readonly #limitMs: number;
  readonly #waiting: Waiting[] = [];
  #running: Running | undefined;

  constructor(
    engine: Answering,
    send: (message: FromChild) => void,
    onFailure: (error: unknown) => void,
    limitMs: number = TIME_LIMIT_MS,
  ) {
    this.#engine = engine;
    this.#send = send;
    this.#onFailure = onFailure;
    this.#limitMs = limitMs;
  }

  ask(id: number, question: LogQuestion): void {
    this.#waiting.push({ id, question });
    if (this.#running === undefined) void this.#answerAll();
  }

  cancel(id: number): void {
    if (this.#running?.id === id) return this.#end(this.#running, "cancelled");
    const index = this.#waiting.findIndex((waiting) => waiting.id === id);
    if (index !== -1) this.#waiting.splice(index, 1);
  }

  async #answerAll(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) await this.#answer(next);
  }

  async #answer({ id, question }: Waiting): Promise<void> {
    const running: Running = { id, ended: undefined, interrupts: undefined };
    this.#running = running;
    const timer = setTimeout(() => this.#end(running, "time-limit"), this.#limitMs);
    try {
      this.#send({ kind: "answer", id, answered: await this.#engine.ask(question) });
    } catch (error) {
      const { code, message } = error instanceof LogStoreError ? error : new LogStoreError("failed", String(error));
      this.#send({ kind: "failure", id, code: code === "cancelled" ? (running.ended ?? code) : code, message });
      this.#onFailure(error);
    } finally {
      clearTimeout(timer);
      clearInterval(running.interrupts);
      this.#running = undefined;
    }
  }

  #end(running: Running, reason: "cancelled" | "time-limit"): void {
    if (running.ended !== undefined) return;
    running.ended = reason;
    this.#engine.interrupt();
    running.interrupts = setInterval(() => this.#engine.interrupt(), INTERRUPT_EVERY_MS);
  }
}
