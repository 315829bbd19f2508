export type JsonRecord = Readonly<Record<string, unknown>>;

/** False for arrays, null and scalars. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const EMPTY_RECORD: JsonRecord = Object.freeze({});
const EMPTY_LIST: readonly unknown[] = Object.freeze([]);

/** Returns an empty object for any other value. */
export function recordOf(value: unknown): JsonRecord {
  return isRecord(value) ? value : EMPTY_RECORD;
}

/** Returns an empty list for any other value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : EMPTY_LIST;
}

/** Returns an empty text for any other value. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Undefined for any other value, NaN and infinities included. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function flagOf(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

export function withoutMissing(fields: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const NOTHING: ReadonlySet<unknown> = new Set([null, undefined]);

/** Returns unknown fields of an object as `field.name`, except those with a value in `absent`. */
export function unknownParts(
  field: string,
  value: unknown,
  known: ReadonlySet<string>,
  absent: ReadonlySet<unknown> = NOTHING,
): readonly string[] {
  const asked = Object.entries(recordOf(value)).filter(([name, part]) => !known.has(name) && !absent.has(part));
  return asked.map(([name]) => `${field}.${name}`);
}

/** Undefined for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads a finite number or the text of one. Otherwise throws an error that names the field. */
export function readNumber(value: unknown, field: string): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) {
    throw new Error(`The provider's answer has no number in ${field}, so the balance is unknown.`);
  }
  return number;
}
