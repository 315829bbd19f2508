import { isRecord, type JsonRecord, listOf, numberOf } from "../../shared/json-fields.ts";

const snakeNames = new Map<string, string>();

/**
 * Alternative name of a field in Google's JSON: `max_output_tokens` for `maxOutputTokens`. Source:
 * https://protobuf.dev/programming-guides/json
 */
export function snakeCase(name: string): string {
  const known = snakeNames.get(name) ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  snakeNames.set(name, known);
  return known;
}

export const EXACT_FIELDS: ReadonlySet<string> = new Set(
  ["args", "response", "parameters", "parametersJsonSchema", "responseSchema", "responseJsonSchema"].flatMap((name) => [
    name,
    snakeCase(name),
  ]),
);

/** Reads a field by its camel-case name, in either spelling; null counts as absent. */
export function fieldOf(record: JsonRecord, name: string): unknown {
  return record[name] ?? record[snakeCase(name)] ?? undefined;
}

export function recordField(record: JsonRecord, name: string): JsonRecord {
  const value = fieldOf(record, name);
  return isRecord(value) ? value : {};
}

/** Reads a list. Google's JSON also allows a single object. */
export function listField(record: JsonRecord, name: string): readonly unknown[] {
  const value = fieldOf(record, name);
  return isRecord(value) ? [value] : listOf(value);
}

export function numberField(record: JsonRecord, name: string): number | undefined {
  return protoNumber(fieldOf(record, name));
}

const NUMBER = /^-?\d{1,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?$/;

/** Reads a number, which Google's JSON may also write as a string. */
export function protoNumber(value: unknown): number | undefined {
  return numberOf(typeof value === "string" && NUMBER.test(value) ? Number(value) : value);
}
