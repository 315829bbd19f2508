import { formatDate } from "../../../lib/format.ts";

const pattern = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/**
 * Reads a moment in the viewer's zone, `YYYY-MM-DD` with or without `HH:MM:SS`, as Unix seconds; a day alone is its midnight.
 * Returns undefined when it is no moment.
 */
export function readMoment(text: string): number | undefined {
  const parts = pattern
    .exec(text.trim())
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (parts === undefined) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  const date = new Date(year, month - 1, day, hour, minute, second);
  // Days and hours that do not exist roll over; the 31st of February is a slip, not the 3rd of March.
  const isReal = date.getFullYear() === year && date.getMonth() === month - 1 && date.getDate() === day;
  return isReal && hour < 24 && minute < 60 && second < 60 ? Math.floor(date.getTime() / 1_000) : undefined;
}

/** Today as `YYYY-MM-DD` in the viewer's zone. */
export function today(): string {
  return formatDate(Date.now() / 1_000);
}
