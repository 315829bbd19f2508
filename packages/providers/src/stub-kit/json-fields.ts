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

/** Returns an empty object for any other value. */
export function objectField(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

/** Returns the objects of a list; other items are left out. */
export function objectsField(object: JsonObject, name: string): readonly JsonObject[] {
  return listField(object, name).filter(isJsonObject);
}
