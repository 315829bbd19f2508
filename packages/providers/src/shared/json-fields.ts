/** An object of parsed JSON whose fields are not checked yet. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** True for a JSON object; false for arrays, null and scalars. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as an object; an empty one when it is something else. */
export function recordOf(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

/** The value as a list; an empty one when it is something else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value as text; empty when it is something else. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The text parsed as JSON; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
