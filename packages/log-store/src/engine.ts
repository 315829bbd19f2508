import { setTimeout as wait } from "node:timers/promises";
import { LogStoreError, type LogStoreStatus } from "./log-store.ts";
import type { Answered, AnswerTo, LogQuestion } from "./questions.ts";
import {
  askOldEntries,
  askHistogram,
  type Asked,
  askPage,
  askResults,
  askTimes,
  askUsers,
  askTotals,
  askValues,
} from "./questions/ask-log.ts";
import { askHours } from "./questions/ask-hours.ts";
import { askReplay, askTraffic } from "./questions/ask-traffic.ts";
import { askUsage } from "./questions/ask-usage.ts";
import type { DuckSettings } from "./replica/duck.ts";
import { LostChangesError, remedyOf } from "./replica/failures.ts";
import { checkLastChange, checkTail, followOnce, type FollowStep } from "./replica/follow.ts";
import { Replica } from "./replica/replica.ts";
import type { LogSource } from "./source/log-source.ts";

/** Most steps that a question waits for. If entries are missing then, the answer is incomplete. */
const MOST_STEPS = 4;
/** Longest wait of a question for missing entries, in ms. */
const CATCH_UP_MS = 1_000;

/** A replica that lacks this many entries is being rebuilt. */
const REBUILDING_ENTRIES = 20_000;

/** Follows the database and answers questions, one at a time. */
export class LogEngine {
  readonly #replica: Replica;
  readonly #source: LogSource;
  #following: Promise<FollowStep> | undefined;
  #status: LogStoreStatus = { state: "starting", progress: 0, behind: 0 };

  private constructor(replica: Replica, source: LogSource) {
    this.#replica = replica;
    this.#source = source;
  }

  /**
   * Opens the replica and removes entries that the database does not have. Rejects if the file is unusable (`remedyOf`) or the database unreadable.
   */
  static async open(file: string, source: LogSource, settings: DuckSettings): Promise<LogEngine> {
    const replica = await Replica.open(file, settings);
    try {
      await checkLastChange(replica, source);
      await checkTail(replica, source);
      const engine = new LogEngine(replica, source);
      await engine.step().catch((error: unknown) => {
        if (remedyOf(error) !== "retry") throw error;
      });
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
    return (await this.#step()).isDone;
  }

  /** Answers a question, with all entries that were committed before it. Rejects with a LogStoreError. */
  ask<Question extends LogQuestion>(question: Question): Promise<Answered<AnswerTo<Question>>>;
  async ask(question: LogQuestion): Promise<Answered<unknown>> {
    const isComplete = await this.#catchUp();
    const asked = { connection: this.#replica.duck.reader, names: this.#replica.names };
    try {
      return { answer: await answer(asked, question), isComplete };
    } catch (error) {
      throw readableError(error);
    }
  }

  interrupt(): void {
    this.#replica.duck.reader.interrupt();
  }

  close(): void {
    this.#replica.close();
  }

  /** Resolves to false if entries are missing: too many to wait for, not settled yet, or a write failed. */
  async #catchUp(): Promise<boolean> {
    const limit = new AbortController();
    const tooLate = wait(CATCH_UP_MS, false, { signal: limit.signal }).catch(() => false);
    try {
      return await Promise.race([this.#stepToEnd(), tooLate]);
    } finally {
      limit.abort();
    }
  }

  async #stepToEnd(): Promise<boolean> {
    // The step under way may have begun before the caller's own entries were committed.
    await this.#following?.catch(() => undefined);
    try {
      for (let steps = 0; steps < MOST_STEPS; steps += 1) {
        const { isDone, settledId } = await this.#step();
        if (isDone || settledId === undefined) return isDone;
      }
    } catch (error) {
      if (error instanceof LostChangesError) throw readableError(error);
    }
    return false;
  }

  /** Steps do not overlap: a second call returns the step under way. */
  #step(): Promise<FollowStep> {
    this.#following ??= this.#followOnce().finally(() => {
      this.#following = undefined;
    });
    return this.#following;
  }

  async #followOnce(): Promise<FollowStep> {
    try {
      const step = await followOnce(this.#replica, this.#source);
      this.#status = this.#statusAfter(step);
      return step;
    } catch (error) {
      this.#status = { ...this.#status, state: "stalled" };
      throw error;
    }
  }

  #statusAfter({ settledId }: FollowStep): LogStoreStatus {
    const isKnown = this.#status.state === "rebuilding" || this.#status.state === "following";
    if (settledId === undefined) return isKnown ? this.#status : { ...this.#status, state: "following" };
    const { watermark } = this.#replica;
    return {
      state: settledId - watermark > REBUILDING_ENTRIES ? "rebuilding" : "following",
      progress: settledId === 0 ? 1 : Math.min(1, watermark / settledId),
      behind: Math.max(0, settledId - watermark),
    };
  }
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
    case "hours":
      return askHours(asked, question);
    case "users":
      return askUsers(asked, question);
    case "traffic":
      return askTraffic(asked, question);
    case "replay":
      return askReplay(asked, question);
    case "usage":
      return askUsage(asked, question);
  }
}

function readableError(error: unknown): LogStoreError {
  if (error instanceof LogStoreError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (message.startsWith("INTERRUPT"))
    return new LogStoreError("cancelled", "The question was cancelled.", { cause: error });
  if (/^Out of Memory/i.test(message))
    return new LogStoreError("memory", "The question needs more memory than LOG_STORE_MEMORY allows.", {
      cause: error,
    });
  return new LogStoreError("failed", message, { cause: error });
}
