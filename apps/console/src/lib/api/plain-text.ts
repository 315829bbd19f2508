/** A value as it stands in an address: texts, numbers and switches as they are, everything else as JSON. */
export function plainText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") return value.toString();
  return JSON.stringify(value);
}
