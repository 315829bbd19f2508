import { setImmediate as nextTurn } from "node:timers/promises";
import type { OpenDatabase } from "@one-api/database/open-database";
import { findNewestId, type LogStretch } from "../log.repository.ts";
import { FULL_BATCH } from "./log-groups.ts";
import type { LogSpan } from "./log-span.ts";

/** Ids that one statement looks at. */
const IDS_PER_STATEMENT = 2 * FULL_BATCH;

/** The stretches of ids after the last batch, newest first, up to an id. */
export async function* tailOf(
  { db }: OpenDatabase,
  { lastId }: LogSpan,
  upTo = Number.POSITIVE_INFINITY,
): AsyncGenerator<LogStretch> {
  let last = Math.min(upTo, await findNewestId(db));
  while (last > lastId) {
    const after = Math.max(lastId, last - IDS_PER_STATEMENT);
    yield { after, last };
    last = after;
    await nextTurn();
  }
}
