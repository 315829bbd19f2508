import { isRecord, type JsonRecord, recordOf } from "../../shared/json-fields.ts";

export interface ObjectSchema {
  readonly schema: JsonRecord;
  /** The object has one property, which holds the original schema. */
  readonly isWrapped: boolean;
}

/**
 * Keywords that providers refuse at the root. Source:
 * https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 */
const REFUSED_AT_TOP = ["anyOf", "oneOf", "allOf", "enum", "const", "not", "if"] as const;
const DEFINITIONS = ["$defs", "definitions"] as const;

/**
 * Returns the schema with an object at its root: itself, the definition that it references, or an object with the
 * schema as its one property `key`.
 */
export function objectAtTop(schema: JsonRecord, key: string): ObjectSchema {
  const named = followReference(schema);
  if (isObject(named))
    return { schema: named.type === "object" ? named : { ...named, type: "object" }, isWrapped: false };
  const { $defs, definitions, $schema: _dialect, $id: _id, ...inner } = schema;
  const wrapper = {
    type: "object",
    properties: { [key]: moveReferences(inner, `#/properties/${key}`) },
    required: [key],
    additionalProperties: false,
    ...($defs !== undefined && { $defs: moveReferences($defs, `#/properties/${key}`) }),
    ...(definitions !== undefined && { definitions: moveReferences(definitions, `#/properties/${key}`) }),
  };
  return { schema: wrapper, isWrapped: true };
}

function isObject({ type, ...rest }: JsonRecord): boolean {
  if (rest.$ref !== undefined || REFUSED_AT_TOP.some((word) => rest[word] !== undefined)) return false;
  if (type === undefined || type === "object") return true;
  return Array.isArray(type) && type.includes("object") && type.every((each) => each === "object" || each === "null");
}

function followReference(schema: JsonRecord): JsonRecord {
  const { $ref: reference, ...rest } = schema;
  if (typeof reference !== "string") return schema;
  const [, place = "", name = ""] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) ?? [];
  const definition = recordOf(schema[place])[decodePointer(name)];
  return isRecord(definition) ? { ...definition, ...rest } : schema;
}

function decodePointer(name: string): string {
  return name.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Rewrites references to the root and below it, except for definitions, after wrapping. */
function moveReferences(value: unknown, root: string): unknown {
  if (Array.isArray(value)) return value.map((each) => moveReferences(each, root));
  if (!isRecord(value) || JSON.isRawJSON(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const moves = name === "$ref" && typeof inner === "string" && inner.startsWith("#") && !isDefinition(inner);
      return [name, moves ? root + inner.slice(1) : moveReferences(inner, root)];
    }),
  );
}

function isDefinition(reference: string): boolean {
  return DEFINITIONS.some((place) => reference.startsWith(`#/${place}/`));
}
