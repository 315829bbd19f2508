import { rmSync } from "node:fs";
import { LogStoreError, type LogStoreStatus } from "./log-store.ts";
import type { Answered, AnswerTo, LogQuestion } from "./questions.ts";
import {
  askOldEntries,
  askHistogram,
  type Asked,
  askPage,
  askResults,
  askTimes,
  askTotals,
  askValues,
} from "./questions/ask-log.ts";
import { askUsage } from "./questions/ask-usage.ts";
import type { DuckSettings } from "./replica/duck.ts";
import { checkTail, followOnce, type FollowStep, LostChangesError } from "./replica/follow.ts";
import { OutdatedReplicaError, Replica } from "./replica/replica.ts";
import type { LogSource } from "./source/log-source.ts";

/** Steps that a question waits for. What is missing then makes the answer incomplete. */
const MOST_STEPS = 8;

/** A replica with so many entries to read is being rebuilt. */
const REBUILDING_ENTRIES = 20_000;

/** Follows the database and answers questions, one at a time. */
export class LogEngine {
  readonly #replica: Replica;
  readonly #source: LogSource;
  #following: Promise<FollowStep> | undefined;
  #status: LogStoreStatus = { state: "starting", progress: 0 };

  private constructor(replica: Replica, source: LogSource) {
    this.#replica = replica;
    this.#source = source;
  }

  /**
   * Opens the replica and removes what the database does not have. Rejects with OutdatedReplicaError or LostChangesError
   * where the file must be deleted (`removeReplica`), and with the engine's error where it cannot be read.
   */
  static async open(file: string, source: LogSource, settings: DuckSettings): Promise<LogEngine> {
    const replica = await Replica.open(file, settings);
    try {
      await checkTail(replica, source);
      const engine = new LogEngine(replica, source);
      await engine.step();
      return engine;
    } catch (error) {
      replica.close();
      throw error;
    }
  }

  status(): LogStoreStatus {
    return this.#status;
  }

  /** Reads the next entries of the database. Resolves to true once there are no more. Rejects where the write failed. */
  async step(): Promise<boolean> {
    this.#following ??= this.#followOnce().finally(() => {
      this.#following = undefined;
    });
    return (await this.#following).isDone;
  }

  /** Answers a question, with all entries that were committed before it. Rejects with a LogStoreError. */
  async ask<Question extends LogQuestion>(question: Question): Promise<Answered<AnswerTo<Question>>> {
    const isComplete = await this.#catchUp();
    const asked = { connection: this.#replica.duck.reader, names: this.#replica.names };
    try {
      return { answer: (await answer(asked, question)) as AnswerTo<Question>, isComplete };
    } catch (error) {
      throw readableError(error);
    }
  }

  /** Ends the question that is being answered: it rejects. */
  interrupt(): void {
    this.#replica.duck.reader.interrupt();
  }

  close(): void {
    this.#replica.close();
  }

  /** False where entries are missing: too many to wait for, or a write failed. */
  async #catchUp(): Promise<boolean> {
    // The step under way may have begun before the caller's own entries were committed.
    await this.#following?.catch(() => undefined);
    try {
      for (let steps = 0; steps < MOST_STEPS; steps += 1) if (await this.step()) return true;
    } catch (error) {
      if (error instanceof LostChangesError) throw readableError(error);
    }
    return false;
  }

  async #followOnce(): Promise<FollowStep> {
    try {
      const step = await followOnce(this.#replica, this.#source);
      const settledId = step.settledId ?? this.#replica.watermark;
      const missing = settledId - this.#replica.watermark;
      this.#status = {
        state: missing > REBUILDING_ENTRIES ? "rebuilding" : "following",
        progress: settledId === 0 ? 1 : Math.min(1, this.#replica.watermark / settledId),
      };
      return step;
    } catch (error) {
      this.#status = { ...this.#status, state: "stalled" };
      throw error;
    }
  }
}

/** Whether the replica must be deleted: its file is damaged, of another version, or lacks changes. */
export function mustBeRemoved(error: unknown): boolean {
  if (error instanceof OutdatedReplicaError || error instanceof LostChangesError) return true;
  return error instanceof Error && DAMAGED.test(error.message);
}

/** What DuckDB says of a file that it cannot read (src/storage/ in its source, 1.5). */
const DAMAGED =
  /corrupt|checksum|not a valid DuckDB|different version|read.*storage version|INTERNAL Error|Serialization Error|replaying WAL|FATAL Error/i;

/** Deletes a replica with its write-ahead log. */
export function removeReplica(file: string): void {
  for (const name of [file, `${file}.wal`]) rmSync(name, { force: true });
}

async function answer(asked: Asked, question: LogQuestion): Promise<unknown> {
  switch (question.kind) {
    case "page":
      return askPage(asked, question);
    case "totals":
      return askTotals(asked, question);
    case "results":
      return askResults(asked, question);
    case "histogram":
      return askHistogram(asked, question);
    case "old-entries":
      return askOldEntries(asked, question);
    case "values":
      return askValues(asked, question);
    case "times":
      return askTimes(asked, question);
    case "usage":
      return askUsage(asked, question);
  }
}

function readableError(error: unknown): LogStoreError {
  if (error instanceof LogStoreError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (/^INTERRUPT/.test(message))
    return new LogStoreError("cancelled", "The question was cancelled.", { cause: error });
  if (/^Out of Memory/i.test(message))
    return new LogStoreError("memory", "The question needs more memory than LOG_STORE_MEMORY allows.", {
      cause: error,
    });
  return new LogStoreError("failed", message, { cause: error });
}
