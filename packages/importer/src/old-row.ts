import type { ForeignRow } from "@one-api/database/foreign/foreign-database";

// Reads columns of old servers. Older versions lack some columns, and any value may be invalid.

/** Returns the trimmed text, since PostgreSQL pads short keys with blanks. Empty without a value. */
export function textOf(row: ForeignRow, column: string): string {
  return (row[column] ?? "").trim();
}

/** Returns the integer part, limited to safe integers; `fallback` without a number. */
export function wholeOf(row: ForeignRow, column: string, fallback = 0): number {
  const value = Math.trunc(numberOf(row, column, fallback));
  return Math.min(Math.max(value, -Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

export function numberOf(row: ForeignRow, column: string, fallback = 0): number {
  const text = textOf(row, column);
  const value = text === "" ? fallback : Number(text);
  return Number.isFinite(value) ? value : fallback;
}

/** True for a flag that is set: MySQL, PostgreSQL and SQLite write it differently. */
export function flagOf(row: ForeignRow, column: string): boolean {
  return ["1", "t", "true"].includes(textOf(row, column).toLowerCase());
}

/** Returns the JSON object; an empty one for any other value. */
export function objectOf(row: ForeignRow, column: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(textOf(row, column));
    return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
  } catch {
    return {};
  }
}

/** Returns an amount of quota, at least 0. */
export function quotaOf(row: ForeignRow, column: string): number {
  return Math.max(0, wholeOf(row, column));
}

export function isDeleted(row: ForeignRow): boolean {
  return textOf(row, "deleted_at") !== "";
}
