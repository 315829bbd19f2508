import { type FieldSpan, scanBody } from "./scan-body.ts";

export type { FieldSpan } from "./scan-body.ts";

const NO_LIMITS = {
  values: Infinity,
  compounds: Infinity,
  wholeBytes: Infinity,
  outlineBytes: Infinity,
  cutFields: new Set<string>(),
};

/**
 * Finds the top-level fields of a provider's JSON object in its bytes, without building the object: what is only passed on stays as it was
 * written. Expects well-formed JSON; returns undefined for anything but an object, for nesting beyond 128 and for a repeated field.
 */
export function findFields(bytes: Buffer): ReadonlyMap<string, FieldSpan> | undefined {
  try {
    return scanBody(bytes, NO_LIMITS).fields;
  } catch {
    return undefined;
  }
}

/** New values of top-level fields: JSON texts by field name. */
export type FieldEdits = ReadonlyMap<string, string>;

/**
 * Returns the JSON object's bytes with some top-level fields set; every other byte stays as it was. With no edits the very same
 * bytes come back.
 */
export function editFields(bytes: Buffer, fields: ReadonlyMap<string, FieldSpan>, edits: FieldEdits): Buffer {
  if (edits.size === 0) return bytes;
  const replaced = [...edits].flatMap(([name, value]) => {
    const span = fields.get(name);
    return span === undefined ? [] : [{ ...span, value }];
  });
  const added = [...edits]
    .filter(([name]) => !fields.has(name))
    .map(([name, value]) => `${JSON.stringify(name)}:${value}`);
  const parts: Buffer[] = [];
  let from = 0;
  if (added.length > 0) {
    const open = bytes.indexOf("{") + 1;
    parts.push(bytes.subarray(0, open), Buffer.from(added.join(",") + (fields.size > 0 ? "," : "")));
    from = open;
  }
  for (const { start, end, value } of replaced.sort((left, right) => left.start - right.start)) {
    parts.push(bytes.subarray(from, start), Buffer.from(value));
    from = end;
  }
  parts.push(bytes.subarray(from));
  return Buffer.concat(parts);
}
