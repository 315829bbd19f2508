/** The value as a finite number, from a number or its text. Throws an error that names the field otherwise. */
export function readNumber(value: unknown, field: string): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) {
    throw new Error(`The provider's answer has no number in ${field}, so the balance is unknown.`);
  }
  return number;
}
