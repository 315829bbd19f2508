import { formatDate, formatTime } from "../../lib/format.ts";

const HALF_DAY_SECONDS = 43_200;
const DAY_SECONDS = 93_600;

/** A part of a time in words, from and to in Unix seconds: hours with their day, days by their date. */
export function partText(from: number, to: number): string {
  const clock = (time: number) => formatTime(time).slice(11, 16);
  if (to - from <= HALF_DAY_SECONDS) return `${formatDate(from)} ${clock(from)}–${clock(to)}`;
  return to - from <= DAY_SECONDS ? formatDate(from) : `${formatDate(from)} – ${formatDate(to - 1)}`;
}
