import { isRecord, type JsonRecord, listOf, parseJson, recordOf } from "./json-fields.ts";

declare global {
  /** Source: https://tc39.es/proposal-json-parse-with-source/ */
  interface JSON {
    parse(
      text: string,
      reviver: (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}

/** Numbers that JavaScript may write differently: `-0`, fractions, exponents, and more digits than a double holds. */
const UNSAFE_NUMBER = /[:,[]\s*-?(?:\d{16}|\d+[.eE]|(?<=-)0)/;

/** Parses JSON; numbers that JavaScript would write differently become raw text for `JSON.stringify`. Undefined for invalid JSON. */
export function parseExact(text: string): unknown {
  if (!UNSAFE_NUMBER.test(text)) return parseJson(text);
  try {
    return JSON.parse(text, withSource);
  } catch {
    return undefined;
  }
}

function withSource(_key: string, value: unknown, { source }: { readonly source?: string }): unknown {
  return typeof value === "number" && source !== undefined && String(value) !== source ? JSON.rawJSON(source) : value;
}

/** Returns the parsed value with exact numbers; the same value where JavaScript would write none differently. */
export function withExactNumbers(parsed: unknown, text: string): unknown {
  return UNSAFE_NUMBER.test(text) ? parseExact(text) : parsed;
}

/** Parses JSON with exact numbers below the named fields only. Undefined for invalid JSON. */
export function parseExactFields(text: string, fields: ReadonlySet<string> | undefined): unknown {
  return withExactFields(parseJson(text), text, fields);
}

/** Returns the parsed value with exact numbers below the named fields; the same value where there are none. */
export function withExactFields(
  parsed: unknown,
  source: Buffer | string,
  fields: ReadonlySet<string> | undefined,
): unknown {
  if (fields === undefined || !mentions(source, fields)) return parsed;
  const text = source.toString();
  return UNSAFE_NUMBER.test(text) ? takeFields(parsed, parseExact(text), fields) : parsed;
}

function mentions(source: Buffer | string, fields: ReadonlySet<string>): boolean {
  for (const field of fields) if (source.includes(`"${field}"`)) return true;
  return false;
}

function takeFields(plain: unknown, exact: unknown, fields: ReadonlySet<string>): unknown {
  if (Array.isArray(plain)) {
    const list = listOf(exact);
    return plain.map((value, index) => takeFields(value, list[index], fields));
  }
  if (!isRecord(plain)) return plain;
  const record = recordOf(exact);
  return Object.fromEntries(
    Object.entries(plain).map(([name, value]) => {
      const taken = record[name];
      return [name, fields.has(name) && isContainer(taken) ? taken : takeFields(value, taken, fields)];
    }),
  );
}

function isContainer(value: unknown): boolean {
  return typeof value === "object" && value !== null && !JSON.isRawJSON(value);
}

/** Parses a JSON object with exact numbers; undefined for anything else. */
export function parseObject(text: string): JsonRecord | undefined {
  const parsed = parseExact(text);
  return isRecord(parsed) && !JSON.isRawJSON(parsed) ? parsed : undefined;
}
