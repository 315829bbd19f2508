import * as z from "zod/mini";
import type { Schema } from "../call.ts";

type JsonSchema = z.core.JSONSchema.JSONSchema | boolean;

export interface UnknownName {
  readonly path: readonly string[];
  /** Names that the object may have. */
  readonly known: readonly string[];
}

type FindUnknownName = (value: unknown) => UnknownName | undefined;

/**
 * Returns a search for the first name in a value that the schema drops, in nested objects too. Of a union every
 * alternative's names are known. The schema is read at the first search.
 */
export function createFindUnknownName(schema: Schema): FindUnknownName {
  let document: z.core.JSONSchema.BaseSchema | undefined;
  return (value) => {
    document ??= z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    return findIn(document, [document], value, []);
  };
}

function findIn(
  document: z.core.JSONSchema.BaseSchema,
  schemas: readonly JsonSchema[],
  value: unknown,
  path: readonly string[],
): UnknownName | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const alternatives = schemas.flatMap((schema) => alternativesOf(document, schema));
  // Without a type, a schema is one of texts that are read later, and takes everything.
  if (alternatives.some((schema) => typeof schema === "boolean" || !isTyped(schema))) return undefined;
  const typed = alternatives.filter((schema) => typeof schema !== "boolean");
  if (Array.isArray(value)) {
    const items = typed.flatMap((schema): JsonSchema[] => [schema.items ?? []].flat());
    return firstOf(value.entries(), ([index, item]) => findIn(document, items, item, [...path, String(index)]));
  }
  const objects = typed.filter(({ type }) => type === "object");
  // An object in place of a text is another mistake, which the schema reports.
  if (objects.length === 0) return undefined;
  const open = objects.flatMap(({ additionalProperties: more = false }): JsonSchema[] =>
    more === false ? [] : [more],
  );
  const known = [...new Set(objects.flatMap(({ properties = {} }) => Object.keys(properties)))];
  return firstOf(Object.entries(value), ([name, inner]) => {
    const within = [...path, name];
    if (open.length === 0 && !known.includes(name)) return { path: within, known };
    const named = objects.flatMap(({ properties = {} }): JsonSchema[] => {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return field === undefined ? [] : [field];
    });
    return findIn(document, named.length === 0 ? open : named, inner, within);
  });
}

function isTyped({ type, enum: choices, const: constant }: z.core.JSONSchema.JSONSchema): boolean {
  return type !== undefined || choices !== undefined || constant !== undefined;
}

function alternativesOf(document: z.core.JSONSchema.BaseSchema, schema: JsonSchema): JsonSchema[] {
  if (typeof schema === "boolean") return [schema];
  const { $ref, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) {
    const named = document.$defs?.[$ref.replace("#/$defs/", "")];
    return alternativesOf(document, named ?? document);
  }
  const parts = anyOf ?? oneOf ?? allOf;
  return parts === undefined ? [schema] : parts.flatMap((part) => alternativesOf(document, part));
}

function firstOf<Item, Found>(items: Iterable<Item>, find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
