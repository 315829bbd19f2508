import type { OpenDatabase } from "@one-api/database/open-database";
import type { Logger } from "pino";
import { awaitDatabase } from "../../platform/await-database.ts";
import type { Clock } from "../../platform/clock.ts";
import { writeCanary, writeRoomCheck } from "./option.repository.ts";

/** A load balancer asks often: so long an answer holds, in ms. */
const HOLDS_MS = 1_000;
/** A database that takes longer is of no use to anybody, in ms. */
const SILENT_MS = 2_000;

/**
 * Returns a function that says whether the database takes writes, by at most one write a second however often it is asked. It never rejects. Once
 * a write of a call has failed, it writes as much as a call does: a full disk may still have room for a row.
 */
export function createWriteCheck(database: OpenDatabase, clock: Clock, log: Logger): () => Promise<boolean> {
  const { db } = database;
  let failuresSeen = database.failedWrites();
  let last: { readonly at: number; readonly outcome: Promise<boolean> } | undefined;
  let writing: Promise<void> | undefined;
  const look = async (): Promise<boolean> => {
    const failures = database.failedWrites();
    // One that is stuck is not asked again beside itself.
    writing ??= (failures > failuresSeen ? writeRoomCheck(db) : writeCanary(db)).finally(() => {
      writing = undefined;
    });
    try {
      await awaitDatabase(writing, SILENT_MS);
      failuresSeen = failures;
      return true;
    } catch (error) {
      log.error({ err: error }, "the database cannot be written to");
      return false;
    }
  };
  return () => {
    const at = clock.monotonicMs();
    if (last === undefined || at - last.at >= HOLDS_MS) last = { at, outcome: look() };
    return last.outcome;
  };
}
