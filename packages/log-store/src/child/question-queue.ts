import { LogStoreError } from "../log-store.ts";
import type { Answered, LogQuestion } from "../questions.ts";
import type { FromChild } from "./messages.ts";

/** A question ends after so long, in ms. */
export const TIME_LIMIT_MS = 10_000;

interface Waiting {
  readonly id: number;
  readonly question: LogQuestion;
}

/** What answers the questions. */
interface Answering {
  ask(question: LogQuestion): Promise<Answered<unknown>>;
  interrupt(): void;
}

/** Questions of other processes, answered one at a time in the order in which they came. */
export class QuestionQueue {
  readonly #engine: Answering;
  readonly #send: (message: FromChild) => void;
  readonly #onFailure: (error: unknown) => void;
  readonly #waiting: Waiting[] = [];
  #running: number | undefined;
  #ended: "cancelled" | "time-limit" | undefined;

  constructor(engine: Answering, send: (message: FromChild) => void, onFailure: (error: unknown) => void) {
    this.#engine = engine;
    this.#send = send;
    this.#onFailure = onFailure;
  }

  ask(id: number, question: LogQuestion): void {
    this.#waiting.push({ id, question });
    if (this.#running === undefined) void this.#answerAll();
  }

  /** Ends a question that nobody waits for any more. */
  cancel(id: number): void {
    if (this.#running === id) return this.#end("cancelled");
    const index = this.#waiting.findIndex((waiting) => waiting.id === id);
    if (index !== -1) this.#waiting.splice(index, 1);
  }

  async #answerAll(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) await this.#answer(next);
  }

  async #answer({ id, question }: Waiting): Promise<void> {
    this.#running = id;
    this.#ended = undefined;
    const timer = setTimeout(() => this.#end("time-limit"), TIME_LIMIT_MS);
    try {
      this.#send({ kind: "answer", id, answered: await this.#engine.ask(question) });
    } catch (error) {
      const { code, message } = error instanceof LogStoreError ? error : new LogStoreError("failed", String(error));
      this.#send({ kind: "failure", id, code: code === "cancelled" ? (this.#ended ?? code) : code, message });
      this.#onFailure(error);
    } finally {
      clearTimeout(timer);
      this.#running = undefined;
    }
  }

  #end(reason: "cancelled" | "time-limit"): void {
    this.#ended = reason;
    this.#engine.interrupt();
  }
}
