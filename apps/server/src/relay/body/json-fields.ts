import { type FieldSpan, scanBody } from "./scan-body.ts";

export type { FieldSpan } from "./scan-body.ts";

const NO_LIMITS = {
  values: Infinity,
  compounds: Infinity,
  wholeBytes: Infinity,
  outlineBytes: Infinity,
  pieceBytes: Infinity,
  elidedFields: new Set<string>(),
};

/**
 * Finds top-level fields without parsing. Expects well-formed JSON.
 * Returns undefined for anything but an object, for nesting beyond 128 and for a repeated field.
 */
export function findFields(bytes: Buffer): ReadonlyMap<string, FieldSpan> | undefined {
  try {
    return scanBody(bytes, NO_LIMITS).fields;
  } catch {
    return undefined;
  }
}

export type FieldEdits = ReadonlyMap<string, string | undefined>;

/** Sets top-level fields. Every other byte stays. Without edits it returns the same buffer. */
export function editFields(bytes: Buffer, fields: ReadonlyMap<string, FieldSpan>, edits: FieldEdits): Buffer {
  if (edits.size === 0) return bytes;
  const replaced: NewValue[] = [];
  const removed: string[] = [];
  let added = "";
  for (const [name, value] of edits) {
    const span = fields.get(name);
    if (value === undefined) {
      if (span !== undefined) removed.push(name);
    } else if (span !== undefined) replaced.push({ start: span.start, end: span.end, value });
    else added += `${added === "" ? "" : ","}${JSON.stringify(name)}:${value}`;
  }
  if (added !== "") {
    const start = bytes.indexOf(OPEN_BRACE) + 1;
    replaced.push({ start, end: start, value: fields.size > 0 ? `${added},` : added });
  }
  return removed.reduce<Buffer>(removeField, replaceSpans(bytes, replaced));
}

const OPEN_BRACE = 0x7b;

interface NewValue extends FieldSpan {
  readonly value: string;
}

function replaceSpans(bytes: Buffer, values: NewValue[]): Buffer {
  if (values.length > 1) values.sort((left, right) => left.start - right.start);
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { start, end, value } of values) {
    pieces.push(bytes.subarray(from, start), Buffer.from(value));
    from = end;
  }
  pieces.push(bytes.subarray(from));
  return Buffer.concat(pieces);
}

function removeField(bytes: Buffer, name: string): Buffer {
  const fields = findFields(bytes);
  const field = fields?.get(name);
  if (fields === undefined || field === undefined) return bytes;
  const others = [...fields.values()].filter((other) => other !== field);
  const before = Math.max(0, ...others.map(({ end }) => end).filter((end) => end <= field.start));
  const isOnly = others.length === 0;
  const start = before > 0 ? before : bytes.indexOf("{") + 1;
  const end = before > 0 || isOnly ? field.end : bytes.indexOf(",", field.end) + 1;
  return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
}
