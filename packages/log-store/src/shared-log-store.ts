import { type LogStore, LogStoreError, type LogStoreFailure, type LogStoreStatus } from "./log-store.ts";
import type { Answered, AnswerTo, LogQuestion } from "./questions.ts";

/** One end of the channel between a process with a log store and one that shares it. */
export interface Channel {
  send(message: ToLogStore | FromLogStore): void;
  onMessage(listener: (message: unknown) => void): void;
}

type ToLogStore =
  | { readonly kind: "log-store-ask"; readonly id: number; readonly question: LogQuestion }
  | { readonly kind: "log-store-cancel"; readonly id: number }
  | { readonly kind: "log-store-status"; readonly id: number };

type FromLogStore =
  | { readonly kind: "log-store-result"; readonly id: number; readonly result: Answered<unknown> | LogStoreStatus }
  | {
      readonly kind: "log-store-failure";
      readonly id: number;
      readonly code: LogStoreFailure;
      readonly message: string;
    };

/** Answers the questions of another process. Returns a function that ends them once that process has ended. */
export function shareLogStore(store: LogStore, channel: Channel): () => void {
  const asked = new Map<number, AbortController>();
  const answer = (id: number, result: Promise<Answered<unknown> | LogStoreStatus>) => {
    result
      .then(
        (done) => channel.send({ kind: "log-store-result", id, result: done }),
        (error: unknown) => {
          const { code, message } = error instanceof LogStoreError ? error : new LogStoreError("failed", String(error));
          channel.send({ kind: "log-store-failure", id, code, message });
        },
      )
      .finally(() => asked.delete(id));
  };
  channel.onMessage((message) => {
    if (!isToLogStore(message)) return;
    const { id } = message;
    if (message.kind === "log-store-cancel") return asked.get(id)?.abort();
    if (message.kind === "log-store-status") return answer(id, store.status());
    const stop = new AbortController();
    asked.set(id, stop);
    answer(id, store.ask(message.question, stop.signal));
  });
  return () => {
    for (const stop of asked.values()) stop.abort();
  };
}

/** Returns the log store of the process at the other end. */
export function joinLogStore(channel: Channel): LogStore {
  return new SharedLogStore(channel);
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: LogStoreError) => void;
}

class SharedLogStore implements LogStore {
  readonly #channel: Channel;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #isClosed = false;

  constructor(channel: Channel) {
    this.#channel = channel;
    channel.onMessage((message) => {
      if (!isFromLogStore(message)) return;
      const pending = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if (message.kind === "log-store-result") pending?.resolve(message.result);
      else pending?.reject(new LogStoreError(message.code, message.message));
    });
  }

  async ask<Question extends LogQuestion>(
    question: Question,
    signal?: AbortSignal,
  ): Promise<Answered<AnswerTo<Question>>>;
  async ask(question: LogQuestion, signal?: AbortSignal): Promise<unknown> {
    const id = (this.#lastId += 1);
    const cancel = () => this.#channel.send({ kind: "log-store-cancel", id });
    if (signal?.aborted === true) throw new LogStoreError("cancelled", "The question was cancelled.");
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      return await this.#send({ kind: "log-store-ask", id, question });
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  async status(): Promise<LogStoreStatus>;
  async status(): Promise<unknown> {
    return await this.#send({ kind: "log-store-status", id: (this.#lastId += 1) });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#pending.values()) reject(stopping());
    this.#pending.clear();
  }

  #send(message: ToLogStore): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(stopping());
      this.#pending.set(message.id, { resolve, reject });
      this.#channel.send(message);
    });
  }
}

function stopping(): LogStoreError {
  return new LogStoreError("unavailable", "The server stops.");
}

const TO_LOG_STORE: readonly unknown[] = ["log-store-ask", "log-store-cancel", "log-store-status"];
const FROM_LOG_STORE: readonly unknown[] = ["log-store-result", "log-store-failure"];

function isToLogStore(message: unknown): message is ToLogStore {
  return typeof message === "object" && message !== null && "kind" in message && TO_LOG_STORE.includes(message.kind);
}

function isFromLogStore(message: unknown): message is FromLogStore {
  return typeof message === "object" && message !== null && "kind" in message && FROM_LOG_STORE.includes(message.kind);
}
