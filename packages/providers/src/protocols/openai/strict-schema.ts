import type { Drop } from "../../neutral/chat-request.ts";
import { isRecord, type JsonRecord, listOf } from "../../shared/json-fields.ts";
import { isObjectSchema } from "../keyword-schema.ts";

/**
 * Keywords that strict schemas must not contain. Source:
 * https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 */
const REFUSED = [
  "oneOf",
  "allOf",
  "not",
  "if",
  "then",
  "else",
  "dependentRequired",
  "dependentSchemas",
  "patternProperties",
];

/** True if each object is closed and requires all of its properties. */
function isStrictSchema(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrictSchema);
  if (!isRecord(schema)) return true;
  if (REFUSED.some((word) => schema[word] !== undefined)) return false;
  if (isObjectSchema(schema) && !isClosed(schema)) return false;
  const named = [schema.properties, schema.$defs, schema.definitions]
    .filter(isRecord)
    .flatMap((each): readonly unknown[] => Object.values(each));
  return [schema.items, schema.anyOf, ...named].every(isStrictSchema);
}

/** Returns the value of `strict`. Drops `field` if OpenAI would refuse the schema as strict. */
export function writeStrict(strict: boolean, schema: JsonRecord, field: string, drop: Drop): boolean {
  if (!strict || isStrictSchema(schema)) return strict;
  drop(field);
  return false;
}

function isClosed({ properties, required, additionalProperties }: JsonRecord): boolean {
  const names = isRecord(properties) ? Object.keys(properties) : [];
  const needed = new Set(listOf(required));
  return additionalProperties === false && names.every((name) => needed.has(name));
}
