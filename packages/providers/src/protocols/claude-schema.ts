import type { Drop } from "../neutral/chat-request.ts";
import type { JsonRecord } from "../shared/json-fields.ts";
import { isObjectSchema, limitSchema, type SchemaRules } from "./keyword-schema.ts";

const FORMATS: ReadonlySet<unknown> = new Set([
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "uri",
  "ipv4",
  "ipv6",
  "uuid",
]);

/**
 * Limits of structured answers and strict tools. Source:
 * https://docs.claude.com/en/docs/build-with-claude/structured-outputs#json-schema-limitations
 */
const RULES: SchemaRules = {
  words: new Set([
    "type",
    "title",
    "description",
    "default",
    "enum",
    "const",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "minItems",
    "anyOf",
    "allOf",
    "format",
    "pattern",
    "$ref",
    "$defs",
    "definitions",
  ]),
  takes: {
    format: (value) => FORMATS.has(value),
    minItems: (value) => value === 0 || value === 1,
  },
  prepare: closeObjects,
};

function closeObjects(schema: JsonRecord, note: Drop): JsonRecord {
  const { oneOf, additionalProperties, ...rest } = schema;
  const alternatives = oneOf === undefined ? {} : { anyOf: rest.anyOf ?? oneOf };
  if (oneOf !== undefined && rest.anyOf !== undefined) note("oneOf");
  const isObject = isObjectSchema(schema) || additionalProperties !== undefined;
  const isOpen = additionalProperties !== undefined ? additionalProperties !== false : rest.properties === undefined;
  if (isObject && isOpen) note("additionalProperties");
  return { ...rest, ...alternatives, ...(isObject && { additionalProperties: false }) };
}

/** Drops unsupported keywords as `field.word`. */
export function claudeSchema(schema: JsonRecord, field: string, drop: Drop): JsonRecord {
  return limitSchema(schema, RULES, field, drop);
}
