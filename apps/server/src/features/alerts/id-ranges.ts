import { setImmediate } from "node:timers/promises";

/** Ids that one query looks at: a few milliseconds. */
const IDS = 5_000;

/** A stretch of ids: after the first one, up to and with the last. */
export interface IdRange {
  readonly after: number;
  readonly last: number;
}

/** All ids up to the newest in stretches, with room for requests between two of them where the database works in this thread. */
export async function* idRanges(newestId: number): AsyncGenerator<IdRange> {
  for (let after = 0; after < newestId; after += IDS) {
    yield { after, last: after + IDS };
    await setImmediate();
  }
}
