import { setImmediate } from "node:timers/promises";

/** Ids read by one query. It takes a few milliseconds. */
const IDS = 5_000;

/** Ids greater than `after`, up to and including `last`. */
export interface IdRange {
  readonly after: number;
  readonly last: number;
}

/**
 * Splits all ids up to the newest into ranges. Yields to the event loop between two ranges, as SQLite works
 * in this thread.
 */
export async function* idRanges(newestId: number): AsyncGenerator<IdRange> {
  for (let after = 0; after < newestId; after += IDS) {
    yield { after, last: after + IDS };
    await setImmediate();
  }
}
