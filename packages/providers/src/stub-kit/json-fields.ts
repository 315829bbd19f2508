export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a parsed JSON value is an object (no list, not null). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The list in a field; an empty one when there is none. */
export function listField(object: JsonObject, name: string): readonly unknown[] {
  const value = object[name];
  return Array.isArray(value) ? value : [];
}

/** The whole number of at least `minimum` in a field, or undefined. */
export function countField(object: JsonObject, name: string, minimum: number): number | undefined {
  const value = object[name];
  return typeof value === "number" && Number.isInteger(value) && value >= minimum ? value : undefined;
}
