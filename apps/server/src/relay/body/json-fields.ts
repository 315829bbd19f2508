/** Where a top-level field of a JSON object stands: its value's first byte and the byte after its last. */
export interface FieldSpan {
  readonly start: number;
  readonly end: number;
}

/** Nesting beyond this is refused: nothing of ours writes it, and it can exhaust the stack of a reader. */
const MAX_DEPTH = 128;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;

/**
 * Finds the top-level fields of a JSON object in its bytes, without building the object: what is only passed on stays as it was written.
 * Expects well-formed JSON; returns undefined for anything but an object, for nesting beyond 128 and for a repeated field.
 */
export function findFields(bytes: Buffer): ReadonlyMap<string, FieldSpan> | undefined {
  const fields = new Map<string, FieldSpan>();
  let at = skipSpace(bytes, 0);
  if (bytes[at] !== OPEN_BRACE) return undefined;
  at = skipSpace(bytes, at + 1);
  if (bytes[at] === CLOSE_BRACE) return fields;
  while (at < bytes.length) {
    if (bytes[at] !== QUOTE) return undefined;
    const nameEnd = skipString(bytes, at);
    const name = readName(bytes, at, nameEnd);
    at = skipSpace(bytes, nameEnd);
    if (name === undefined || bytes[at] !== COLON || fields.has(name)) return undefined;
    const start = skipSpace(bytes, at + 1);
    const end = skipValue(bytes, start);
    if (end === undefined) return undefined;
    fields.set(name, { start, end });
    at = skipSpace(bytes, end);
    if (bytes[at] === CLOSE_BRACE) return fields;
    if (bytes[at] !== COMMA) return undefined;
    at = skipSpace(bytes, at + 1);
  }
  return undefined;
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
  }
  return at;
}

/** Returns the index after the closing quote of the string that opens at `from`. */
function skipString(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < bytes.length) {
    const quote = bytes.indexOf(QUOTE, at);
    if (quote === -1) return bytes.length;
    let backslashes = 0;
    while (bytes[quote - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
  return bytes.length;
}

/** The name in quotes between the indexes; undefined when it is no well-formed text. */
function readName(bytes: Buffer, start: number, end: number): string | undefined {
  const name = bytes.toString("utf8", start + 1, end - 1);
  if (!name.includes("\\")) return name;
  try {
    const unescaped: unknown = JSON.parse(`"${name}"`);
    return typeof unescaped === "string" ? unescaped : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the index after the value that starts at `from`; undefined when it nests too deep. */
function skipValue(bytes: Uint8Array, from: number): number | undefined {
  const first = bytes[from];
  if (first === QUOTE) return skipString(bytes, from);
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return skipPlain(bytes, from);
  let depth = 0;
  let at = from;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = skipString(bytes, at);
      continue;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth += 1;
      if (depth > MAX_DEPTH) return undefined;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
    at += 1;
  }
  return bytes.length;
}

/** Returns the index after a number, true, false or null. */
function skipPlain(bytes: Uint8Array, from: number): number {
  let at = from;
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (
      byte === COMMA ||
      byte === CLOSE_BRACE ||
      byte === CLOSE_BRACKET ||
      byte === 0x20 ||
      byte === 0x0a ||
      byte === 0x0d ||
      byte === 0x09
    )
      break;
  }
  return at;
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
