import type { Drop } from "../neutral/chat-request.ts";
import { isRecord, type JsonRecord } from "../shared/json-fields.ts";

export interface SchemaRules {
  /** Supported keywords; others are dropped by name. */
  readonly words: ReadonlySet<string>;
  /** Supported values by keyword; absent: all. */
  readonly takes: Readonly<Record<string, (value: unknown) => boolean>>;
  readonly prepare: (schema: JsonRecord, note: Drop) => JsonRecord;
}

const ANNOTATIONS: ReadonlySet<string> = new Set([
  "$schema",
  "$id",
  "$comment",
  "examples",
  "example",
  "deprecated",
  "readOnly",
  "writeOnly",
  "title",
  "default",
  "propertyOrdering",
]);

const SCHEMA_WORDS: ReadonlySet<string> = new Set([
  "items",
  "anyOf",
  "oneOf",
  "allOf",
  "prefixItems",
  "additionalProperties",
]);
const NAMED_SCHEMA_WORDS: ReadonlySet<string> = new Set(["properties", "$defs", "definitions"]);

/** Drops unsupported keywords as `field.word`. */
export function limitSchema(schema: JsonRecord, rules: SchemaRules, field: string, drop: Drop): JsonRecord {
  const note: Drop = (word) => drop(`${field}.${word}`);
  const limit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(limit);
    if (!isRecord(value)) return value;
    const fields: Record<string, unknown> = {};
    for (const [word, inner] of Object.entries(rules.prepare(value, note))) {
      const isTaken = rules.words.has(word) && rules.takes[word]?.(inner) !== false;
      if (isTaken) fields[word] = limitWord(word, inner);
      else if (!ANNOTATIONS.has(word)) note(word);
    }
    return fields;
  };
  const limitWord = (word: string, inner: unknown): unknown => {
    if (SCHEMA_WORDS.has(word)) return limit(inner);
    if (!NAMED_SCHEMA_WORDS.has(word) || !isRecord(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).map(([name, each]) => [name, limit(each)]));
  };
  const limited = limit(schema);
  return isRecord(limited) ? limited : schema;
}

export function isObjectSchema({ type, properties, required }: JsonRecord): boolean {
  if (type === undefined) return properties !== undefined || required !== undefined;
  return type === "object" || (Array.isArray(type) && type.includes("object"));
}
