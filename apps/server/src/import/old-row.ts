import type { ForeignRow } from "@one-api/database/foreign-database";

// Reading rows of old servers: a column may be missing in older versions, and any value may be odd.

/** The column's text without blanks around it, which PostgreSQL adds to short keys; empty where there is none. */
export function textOf(row: ForeignRow, column: string): string {
  return (row[column] ?? "").trim();
}

/** The column's whole number within what can be kept exactly; `fallback` where there is none. */
export function wholeOf(row: ForeignRow, column: string, fallback = 0): number {
  const value = Math.trunc(numberOf(row, column, fallback));
  return Math.min(Math.max(value, -Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

/** The column's number; `fallback` where there is none. */
export function numberOf(row: ForeignRow, column: string, fallback = 0): number {
  const text = textOf(row, column);
  const value = text === "" ? fallback : Number(text);
  return Number.isFinite(value) ? value : fallback;
}

/** True for a flag that is set, in whatever way the database writes it. */
export function flagOf(row: ForeignRow, column: string): boolean {
  return ["1", "t", "true"].includes(textOf(row, column).toLowerCase());
}

/** The column's JSON object; an empty one where there is none. */
export function objectOf(row: ForeignRow, column: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(textOf(row, column));
    return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
  } catch {
    return {};
  }
}

/** An amount of quota: what is below zero is nothing. */
export function quotaOf(row: ForeignRow, column: string): number {
  return Math.max(0, wholeOf(row, column));
}

/** True for rows that the old server only hides. */
export function isDeleted(row: ForeignRow): boolean {
  return textOf(row, "deleted_at") !== "";
}
