import { openSqliteAgain } from "@one-api/database/dialects/sqlite";
import type { OpenDatabase } from "@one-api/database/open-database";
import type { Logger } from "pino";
import type { Clock } from "../core/clock.ts";
import type { RepeatedWork } from "../core/work/repeat-work.ts";
import { keepLogGroups } from "./keep-log-groups.ts";
import { keepUsage } from "./keep-usage.ts";
import { keepInThread } from "./log-sums-in-thread.ts";

interface LogSumsParts {
  readonly database: OpenDatabase;
  readonly clock: Clock;
  readonly log: Logger;
  /** In a thread of its own, where the database is a file. */
  readonly thread: boolean;
}

/**
 * Keeps what lists, totals and the dashboard read in the place of the whole log, while the server runs. It can all be made again from the log, so
 * that in a file its commits wait for no disk.
 */
export function keepLogSums({ database, clock, log, thread }: LogSumsParts): Pick<RepeatedWork, "stop"> {
  const { sqliteFile } = database;
  if (sqliteFile === undefined) return keepBoth(database, clock, log);
  if (thread) return keepInThread(sqliteFile, log);
  const derived = openSqliteAgain(sqliteFile.path, sqliteFile.writeTurns);
  const work = keepBoth(derived, clock, log);
  return {
    async stop() {
      await work.stop();
      await derived.close();
    },
  };
}

/** The groups of lists and totals, and the dashboard's sums. */
export function keepBoth(...parts: Parameters<typeof keepUsage>): Pick<RepeatedWork, "stop"> {
  const [database, , log] = parts;
  const both = [keepLogGroups(database, log), keepUsage(...parts)];
  return {
    async stop() {
      await Promise.all(both.map((work) => work.stop()));
    },
  };
}
