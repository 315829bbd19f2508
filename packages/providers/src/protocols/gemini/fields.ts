import { isRecord, type JsonRecord, listOf, numberOf } from "../../shared/json-fields.ts";

const snakeNames = new Map<string, string>();

/** The name of a field as Google's JSON may also write it: `maxOutputTokens` is `max_output_tokens`. Source: https://protobuf.dev/programming-guides/json */
export function snakeCase(name: string): string {
  const known = snakeNames.get(name) ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  snakeNames.set(name, known);
  return known;
}

/** Fields whose values belong to the caller or its tools: their numbers pass as they are written. */
export const EXACT_FIELDS: ReadonlySet<string> = new Set(
  ["args", "response", "parameters", "parametersJsonSchema", "responseSchema", "responseJsonSchema"].flatMap((name) => [
    name,
    snakeCase(name),
  ]),
);

/** A field by its name in camel case, under whichever of its two names it stands; null counts as absent. */
export function fieldOf(record: JsonRecord, name: string): unknown {
  return record[name] ?? record[snakeCase(name)] ?? undefined;
}

/** The field as an object; an empty one when it is something else. */
export function recordField(record: JsonRecord, name: string): JsonRecord {
  const value = fieldOf(record, name);
  return isRecord(value) ? value : {};
}

/** The field as a list; Google's JSON also writes a list of one object as the object. */
export function listField(record: JsonRecord, name: string): readonly unknown[] {
  const value = fieldOf(record, name);
  return isRecord(value) ? [value] : listOf(value);
}

/** The field as a number; undefined when it is none. */
export function numberField(record: JsonRecord, name: string): number | undefined {
  return protoNumber(fieldOf(record, name));
}

/** A number of JSON. */
const NUMBER = /^-?\d{1,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?$/;

/** The value as a number, which Google's JSON may also write as a text; undefined when it is none. */
export function protoNumber(value: unknown): number | undefined {
  return numberOf(typeof value === "string" && NUMBER.test(value) ? Number(value) : value);
}
