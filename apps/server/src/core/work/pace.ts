import { setTimeout as waitMs } from "node:timers/promises";

/** Resolves when work that can wait may go on; it is asked after each piece. */
export type Rest = () => Promise<void>;

/** So many times as long as a piece took: with pieces of some ms each kind of such work has a third of a core at the most, however much there is. */
const TIMES_AS_LONG = 2;
/** In ms. What a piece took may have been waiting for its turn. */
const LONGEST_REST_MS = 50;

/**
 * Paces work that is done beside requests, from now on: pieces of some ms, of which several right behind each other would hold one request up
 * for all of them.
 */
export function createPace(wait: (ms: number) => Promise<unknown> = waitMs): Rest {
  let startedMs = performance.now();
  return async () => {
    const tookMs = performance.now() - startedMs;
    await wait(Math.min(LONGEST_REST_MS, tookMs * TIMES_AS_LONG));
    startedMs = performance.now();
  };
}
