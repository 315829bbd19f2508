export type JsonObject = Readonly<Record<string, unknown>>;

/** False for lists and null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns an empty list for any other value. */
export function listField(object: JsonObject, name: string): readonly unknown[] {
  const value = object[name];
  return Array.isArray(value) ? value : [];
}

/** Returns the whole number of at least `minimum`, else undefined. */
export function countField(object: JsonObject, name: string, minimum: number): number | undefined {
  const value = object[name];
  return typeof value === "number" && Number.isInteger(value) && value >= minimum ? value : undefined;
}
