import type { OpenDatabase } from "@one-api/database/open-database";
import type { Logger } from "pino";
import { awaitDatabase } from "../../platform/await-database.ts";
import type { Clock } from "../../platform/clock.ts";
import { writeCanary, writeSpaceCheck } from "./option.repository.ts";

/** An answer is cached for this time, as load balancers ask often. */
const CACHED_MS = 1_000;
const TIMEOUT_MS = 2_000;

/**
 * Returns a check of database writes, which writes at most once a second and never rejects.
 * After a failed write it writes as much as a call: a full disk may have space for one row.
 */
export function createWriteCheck(database: OpenDatabase, clock: Clock, log: Logger): () => Promise<boolean> {
  const { db } = database;
  let failuresSeen = database.failedWrites();
  let last: { readonly at: number; readonly outcome: Promise<boolean> } | undefined;
  let writing: Promise<void> | undefined;
  const look = async (): Promise<boolean> => {
    const failures = database.failedWrites();
    // A stuck write is not repeated.
    writing ??= (failures > failuresSeen ? writeSpaceCheck(db) : writeCanary(db)).finally(() => {
      writing = undefined;
    });
    try {
      await awaitDatabase(writing, TIMEOUT_MS);
      failuresSeen = failures;
      return true;
    } catch (error) {
      log.error({ err: error }, "the database cannot be written to");
      return false;
    }
  };
  return () => {
    const at = clock.monotonicMs();
    if (last === undefined || at - last.at >= CACHED_MS) last = { at, outcome: look() };
    return last.outcome;
  };
}
