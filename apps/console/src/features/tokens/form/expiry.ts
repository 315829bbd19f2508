import { NEVER_EXPIRES, TOKEN_DEFAULTS } from "@one-api/contract/token-constants";
import { formatTime } from "../../../lib/format.ts";
import { readMoment } from "../../../components/form/time/read-moment.ts";

/** Presets of the expiry, as the texts know them, and for how many seconds from now a token lives with them; undefined for ever. */
export const EXPIRY_PRESETS = [
  { name: "never", seconds: undefined },
  { name: "month", seconds: TOKEN_DEFAULTS.validSeconds },
  { name: "day", seconds: 24 * 3_600 },
  { name: "hour", seconds: 3_600 },
  { name: "minute", seconds: 60 },
] as const;

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
  return readMoment(trimmed);
}
