/** Returns the number of a number field: NaN, which no schema takes, while it is empty or holds no number. */
export function typedNumber(value: number | string): number {
  return value === "" ? Number.NaN : Number(value);
}
