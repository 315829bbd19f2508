import type { Answered, AnswerTo, LogQuestion } from "./questions.ts";

export type LogStoreFailure = "unavailable" | "busy" | "cancelled" | "time-limit" | "memory" | "failed";

export class LogStoreError extends Error {
  override name = "LogStoreError";
  readonly code: LogStoreFailure;

  constructor(code: LogStoreFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * | state      | meaning                                                              |
 * |------------|----------------------------------------------------------------------|
 * | off        | switched off, or there is no DuckDB for this platform                |
 * | starting   | the process or its file is being opened                              |
 * | rebuilding | many entries are missing; answers are incomplete                     |
 * | following  | the replica has what the database has                                |
 * | idle       | it had, and the process has ended; a question starts it again        |
 * | stalled    | the last write failed; questions are answered, and it is tried again |
 */
export const LOG_STORE_STATES = ["off", "starting", "rebuilding", "following", "idle", "stalled"] as const;

export type LogStoreState = (typeof LOG_STORE_STATES)[number];

export interface LogStoreStatus {
  readonly state: LogStoreState;
  /** Part of the log that the replica has, 0 to 1. */
  readonly progress: number;
  /** Entries that the replica lacked after its last step. */
  readonly behind: number;
}

export interface LogStore {
  /** Rejects with a LogStoreError. A question ends when the signal is aborted. */
  ask<Question extends LogQuestion>(question: Question, signal?: AbortSignal): Promise<Answered<AnswerTo<Question>>>;
  status(): Promise<LogStoreStatus>;
  close(): Promise<void>;
}
