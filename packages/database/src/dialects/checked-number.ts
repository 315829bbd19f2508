/** Returns the number when both databases store it exactly; throws for an integer beyond ±(2^53 − 1), NaN and the infinities. */
export function checkedNumber(value: number): number {
  if (Number.isSafeInteger(value)) return value;
  if (Number.isInteger(value) || !Number.isFinite(value)) {
    throw new RangeError(`${value} cannot be stored exactly: integers go to ${Number.MAX_SAFE_INTEGER}`);
  }
  return value;
}

/** Returns the integer that a database wrote as text; throws beyond ±(2^53 − 1) instead of rounding. */
export function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`${text} cannot be read exactly: integers go to ${Number.MAX_SAFE_INTEGER}`);
}
