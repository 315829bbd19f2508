/** Not allowed in PostgreSQL's texts; callers and providers may send it. */
const NUL = "\u0000";

/**
 * Returns a parameter that both databases store alike: texts with U+FFFD for NUL. Throws for an integer beyond ±(2^53 −
 * 1), NaN, the infinities, and other types.
 */
export function storableValue(value: unknown): string | number | null {
  if (typeof value === "string") return value.includes(NUL) ? value.replaceAll(NUL, "\uFFFD") : value;
  if (typeof value === "number") return checkedNumber(value);
  if (value === null) return value;
  throw new TypeError(`A value of type ${typeof value} cannot go into a statement`);
}

/** True if both databases store the parameter alike without a change. Avoids copies for nearly all parameters. */
export function isStorable(value: unknown): value is string | number | null {
  if (typeof value === "string") return !value.includes(NUL);
  return Number.isSafeInteger(value) || value === null;
}

function checkedNumber(value: number): number {
  if (Number.isSafeInteger(value)) return value;
  if (Number.isInteger(value) || !Number.isFinite(value)) {
    throw new RangeError(`${value} cannot be stored exactly: integers go to ${Number.MAX_SAFE_INTEGER}`);
  }
  return value;
}

/** Parses an integer of a database; throws beyond ±(2^53 − 1) instead of rounding. */
export function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`${text} cannot be read exactly: integers go to ${Number.MAX_SAFE_INTEGER}`);
}
