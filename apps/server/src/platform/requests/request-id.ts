import { randomFillSync } from "node:crypto";

const TIME_DIGITS = 12;
const RANDOM_DIGITS = 14;
const pool = Buffer.alloc((RANDOM_DIGITS / 2) * 512);
let digits = "";
let offset = 0;
let timeMs = 0;
let timeDigits = "";

/**
 * 12 hex digits of the time in ms and 14 random ones, drawn for many ids at once. Increasing ids stay close in indexes,
 * so a commit touches few pages.
 */
export function createRequestId(): string {
  if (offset >= digits.length) {
    randomFillSync(pool);
    digits = pool.toString("hex");
    offset = 0;
  }
  offset += RANDOM_DIGITS;
  const nowMs = Date.now();
  if (nowMs !== timeMs) [timeMs, timeDigits] = [nowMs, nowMs.toString(16).padStart(TIME_DIGITS, "0")];
  return timeDigits + digits.slice(offset - RANDOM_DIGITS, offset);
}
