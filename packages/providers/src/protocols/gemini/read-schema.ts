import { isRecord, type JsonRecord, listOf, textOf } from "../../shared/json-fields.ts";
import { fieldOf } from "./fields.ts";

const SCHEMA_FIELDS = ["items", "additionalProperties"];
const LIST_FIELDS = ["anyOf", "prefixItems"];
const MAP_FIELDS = ["properties", "$defs"];
/** Counts, which Google's JSON may write as strings. */
const COUNT_FIELDS = ["minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"];
const PLAIN_FIELDS = ["description", "title", "enum", "required", "minimum", "maximum", "pattern", "default", "format"];

/**
 * Converts Gemini's OpenAPI schemas (upper-case types, `nullable`) into JSON schema.
 * Source: https://ai.google.dev/api/caching#Schema
 */
export function readSchema(value: unknown): JsonRecord {
  if (!isRecord(value)) return { type: "object", properties: {} };
  return toJsonSchema(value);
}

function toJsonSchema(schema: JsonRecord): JsonRecord {
  const fields: Record<string, unknown> = {};
  const type = textOf(schema.type).toLowerCase();
  if (type !== "" && type !== "type_unspecified") fields.type = schema.nullable === true ? [type, "null"] : type;
  else if (Array.isArray(schema.type)) fields.type = schema.type;
  for (const name of PLAIN_FIELDS) if (schema[name] !== undefined) fields[name] = schema[name];
  for (const name of COUNT_FIELDS) {
    const count = fieldOf(schema, name);
    if (count !== undefined) fields[name] = JSON.isRawJSON(count) ? count : Number(count);
  }
  for (const name of SCHEMA_FIELDS) {
    const inner = fieldOf(schema, name);
    if (inner !== undefined) fields[name] = isRecord(inner) ? toJsonSchema(inner) : inner;
  }
  for (const name of LIST_FIELDS) {
    const inner = fieldOf(schema, name);
    if (Array.isArray(inner)) fields[name] = listOf(inner).map(readSchema);
  }
  for (const name of MAP_FIELDS) {
    const inner = schema[name];
    if (isRecord(inner)) {
      fields[name] = Object.fromEntries(Object.entries(inner).map(([key, each]) => [key, readSchema(each)]));
    }
  }
  return fields;
}
