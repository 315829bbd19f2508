import { formatDate, formatTime } from "../../lib/format.ts";

const HALF_DAY_SECONDS = 43_200;
/** Longest day, which has 25 hours, and an hour of rounding. */
const DAY_SECONDS = 93_600;

/** A part of a time in words, from and to in Unix seconds: hours with their day, days by their date. */
export function partText(from: number, to: number): string {
  const clock = (time: number) => formatTime(time).slice(11, 16);
  const [first, last] = [formatDate(from), formatDate(to - 1)];
  if (to - from <= HALF_DAY_SECONDS) return `${first} ${clock(from)}–${clock(to)}`;
  if (first === last) return first;
  return to - from <= DAY_SECONDS ? `${first} ${clock(from)} – ${last} ${clock(to)}` : `${first} – ${last}`;
}
