/** An object of parsed JSON whose fields are not checked yet. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** True for a JSON object; false for arrays, null and scalars. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const EMPTY_RECORD: JsonRecord = Object.freeze({});
const EMPTY_LIST: readonly unknown[] = Object.freeze([]);

/** The value as an object; an empty one when it is something else. */
export function recordOf(value: unknown): JsonRecord {
  return isRecord(value) ? value : EMPTY_RECORD;
}

/** The value as a list; an empty one when it is something else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : EMPTY_LIST;
}

/** The value as text; empty when it is something else. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The value as a finite number; undefined when it is something else. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The value as true or false; undefined when it is something else. */
export function flagOf(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

/** The fields that have a value: those that are undefined are left out. */
export function withoutMissing(fields: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const NOTHING: ReadonlySet<unknown> = new Set([null, undefined]);

/** The fields of an object in `field` that are not known and say something, as `field.name`; what is in `unsaid` says nothing. */
export function unknownParts(
  field: string,
  value: unknown,
  known: ReadonlySet<string>,
  unsaid: ReadonlySet<unknown> = NOTHING,
): readonly string[] {
  const asked = Object.entries(recordOf(value)).filter(([name, part]) => !known.has(name) && !unsaid.has(part));
  return asked.map(([name]) => `${field}.${name}`);
}

/** The text parsed as JSON; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value as a finite number, from a number or its text. Throws an error that names the field otherwise. */
export function readNumber(value: unknown, field: string): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) {
    throw new Error(`The provider's answer has no number in ${field}, so the balance is unknown.`);
  }
  return number;
}
