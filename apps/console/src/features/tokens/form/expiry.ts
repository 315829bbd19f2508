import { NEVER_EXPIRES, TOKEN_DEFAULTS } from "@one-api/contract/token";
import { formatTime } from "../../../lib/format.ts";

/** Presets of the expiry, as the texts know them, and for how many seconds from now a token lives with them; undefined for ever. */
export const EXPIRY_PRESETS = [
  { name: "never", seconds: undefined },
  { name: "month", seconds: TOKEN_DEFAULTS.validSeconds },
  { name: "day", seconds: 24 * 3_600 },
  { name: "hour", seconds: 3_600 },
  { name: "minute", seconds: 60 },
] as const;

const timePattern = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/** The text of an expiry that many seconds from now; empty for never. */
export function expiryAfter(seconds: number | undefined): string {
  return seconds === undefined ? "" : formatTime(Math.floor(Date.now() / 1_000) + seconds);
}

/** The text that edits a stored expiry, in Unix seconds; empty for never. */
export function expiryText(time: number): string {
  return time === NEVER_EXPIRES ? "" : formatTime(time);
}

/**
 * Reads an expiry in the viewer's zone, `YYYY-MM-DD` with or without `HH:MM:SS`, as Unix seconds. Empty and -1 are never (-1).
 * Returns undefined when it is no moment.
 */
export function readExpiry(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed === String(NEVER_EXPIRES)) return NEVER_EXPIRES;
  const parts = timePattern
    .exec(trimmed)
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (parts === undefined) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  const date = new Date(year, month - 1, day, hour, minute, second);
  // Days and hours that do not exist roll over; the 31st of February is a slip, not the 3rd of March.
  const isReal = date.getFullYear() === year && date.getMonth() === month - 1 && date.getDate() === day;
  return isReal && hour < 24 && minute < 60 && second < 60 ? Math.floor(date.getTime() / 1_000) : undefined;
}
