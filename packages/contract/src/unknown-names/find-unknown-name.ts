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
 * Returns a search for the first name that the schema drops, in nested objects too. Fields of `answer` are ignored, so that a changed row can be sent back.
 */
export function createFindUnknownName(schema: Schema, answer?: Schema): FindUnknownName {
  let document: z.core.JSONSchema.BaseSchema | undefined;
  let ignored: ReadonlySet<string> | undefined;
  return (value) => {
    document ??= z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    ignored ??= new Set(answer === undefined ? [] : namesIn(answer));
    return findIn({ document, ignored }, [document], value, []);
  };
}

/** Returns the names that an object of the schema may have, or each object of a list. */
function namesIn(schema: Schema): string[] {
  const document = z.toJSONSchema(schema, { unrepresentable: "any" });
  const alternatives = alternativesOf(document, document).filter((part) => typeof part !== "boolean");
  const items = alternatives.flatMap(({ items: item = [] }): JsonSchema[] => [item].flat());
  const all = [...alternatives, ...items.flatMap((item) => alternativesOf(document, item))];
  return all.flatMap((part) => (typeof part === "boolean" ? [] : Object.keys(part.properties ?? {})));
}

interface Search {
  readonly document: z.core.JSONSchema.BaseSchema;
  readonly ignored: ReadonlySet<string>;
}

function findIn(
  search: Search,
  schemas: readonly JsonSchema[],
  value: unknown,
  path: readonly string[],
): UnknownName | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const alternatives = schemas.flatMap((schema) => alternativesOf(search.document, schema));
  // Without a type, a schema is one of texts that are read later, and takes everything.
  if (alternatives.some((schema) => typeof schema === "boolean" || !isTyped(schema))) return undefined;
  const typed = alternatives.filter((schema) => typeof schema !== "boolean");
  if (Array.isArray(value)) {
    const items = typed.flatMap((schema): JsonSchema[] => [schema.items ?? []].flat());
    return firstOf(value.entries(), ([index, item]) => findIn(search, items, item, [...path, String(index)]));
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
    if (open.length === 0 && !known.includes(name))
      return path.length === 0 && search.ignored.has(name) ? undefined : { path: within, known };
    const named = objects.flatMap(({ properties = {} }): JsonSchema[] => {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return field === undefined ? [] : [field];
    });
    return findIn(search, named.length === 0 ? open : named, inner, within);
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
