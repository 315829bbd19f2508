import { randomFillSync } from "node:crypto";

const TIME_DIGITS = 12;
const RANDOM_BYTES = 7;
const pool = Buffer.alloc(RANDOM_BYTES * 512);
let offset = pool.length;
let timeMs = 0;
let timeDigits = "";

/**
 * A new request id: 12 hex digits of the time in ms and 14 that nobody can foretell. Ids that grow with time stay together in the
 * database's indexes, so that a commit of many requests touches few pages. Randomness is drawn for many ids at once.
 */
export function createRequestId(): string {
  if (offset >= pool.length) {
    randomFillSync(pool);
    offset = 0;
  }
  offset += RANDOM_BYTES;
  const nowMs = Date.now();
  if (nowMs !== timeMs) [timeMs, timeDigits] = [nowMs, nowMs.toString(16).padStart(TIME_DIGITS, "0")];
  return timeDigits + pool.toString("hex", offset - RANDOM_BYTES, offset);
}
