import type { OpenDatabase } from "@one-api/database/open-database";
import type { Logger } from "pino";
import { awaitDatabase } from "../../core/database/await-database.ts";
import type { Clock } from "../../core/clock.ts";
import { writeCanary } from "./option.repository.ts";

/** A load balancer asks often: so long an answer holds, in ms. */
const HOLDS_MS = 1_000;
/** A database that takes longer is of no use to anybody, in ms. */
const SILENT_MS = 2_000;

/** Says whether the database takes what is written now, by no more than one write a second however often it is asked. Never rejects. */
export function createWriteCheck({ db }: OpenDatabase, clock: Clock, log: Logger): () => Promise<boolean> {
  let last: { readonly at: number; readonly outcome: Promise<boolean> } | undefined;
  let writing: Promise<void> | undefined;
  const look = async (): Promise<boolean> => {
    // One that is stuck is not asked again beside itself.
    writing ??= writeCanary(db).finally(() => {
      writing = undefined;
    });
    try {
      await awaitDatabase(writing, SILENT_MS);
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
