import { isRecord, type JsonRecord, listOf } from "../shared/json-fields.ts";
import { UntranslatableError } from "./chat-request.ts";

/** What the value of a field must be. */
export type FieldKind = "number" | "flag" | "text" | "list" | "object" | "text or list" | "text or object";

const IS_KIND: Readonly<Record<FieldKind, (value: unknown) => boolean>> = {
  number: (value) => typeof value === "number",
  flag: (value) => typeof value === "boolean",
  text: (value) => typeof value === "string",
  list: Array.isArray,
  object: isRecord,
  "text or list": (value) => typeof value === "string" || Array.isArray(value),
  "text or object": (value) => typeof value === "string" || isRecord(value),
};

const NAMES: Readonly<Record<FieldKind, string>> = {
  number: "a number",
  flag: "true or false",
  text: "a text",
  list: "a list",
  object: "an object",
  "text or list": "a text or a list",
  "text or object": "a text or an object",
};

/** Throws UntranslatableError, which names the field, for a value that is neither null nor of its kind: it would be left out unseen. */
export function checkFields(record: JsonRecord, kinds: Readonly<Record<string, FieldKind>>, place = ""): void {
  for (const [name, kind] of Object.entries(kinds)) {
    const value = record[name] ?? undefined;
    if (value === undefined || IS_KIND[kind](value)) continue;
    throw new UntranslatableError(place + name, `${place}${name} must be ${NAMES[kind]}.`);
  }
}

/** The same for each object of a list, which holds nothing else. */
export function checkEach(list: unknown, kinds: Readonly<Record<string, FieldKind>>, field: string): void {
  for (const [index, value] of listOf(list).entries()) {
    if (!isRecord(value)) throw new UntranslatableError(`${field}.${index}`, `${field}.${index} must be an object.`);
    checkFields(value, kinds, `${field}.${index}.`);
  }
}
