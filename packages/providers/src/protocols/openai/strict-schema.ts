import type { Drop } from "../../neutral/chat-request.ts";
import { isRecord, type JsonRecord, listOf } from "../../shared/json-fields.ts";
import { isObjectSchema } from "../keyword-schema.ts";

/** Words that strict schemas must not hold. Source: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas */
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

/** Whether OpenAI takes the schema as a strict one: each object is closed and has all of its properties required. */
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

/** Whether a schema is sent as a strict one; one that OpenAI would refuse so is not, and `field` is dropped. */
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
