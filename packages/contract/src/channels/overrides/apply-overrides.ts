import { entriesOf, type OverrideEntry, type Overrides, pathOf } from "./overrides.ts";

type Json = Readonly<Record<string, unknown>>;

/** Returns new values of top-level fields of a body; undefined removes a field. */
export function overrideFields(body: Json, overrides: Overrides): ReadonlyMap<string, unknown> {
  const changed = new Map<string, unknown>();
  for (const entry of entriesOf(overrides)) {
    if (entry.where !== "body") continue;
    const [name = "", ...rest] = pathOf(entry.name);
    const before = changed.has(name) ? changed.get(name) : ownField(body, name);
    const after = overrideValue(before, rest, entry);
    if (after !== before) changed.set(name, after);
  }
  return changed;
}

function overrideValue(before: unknown, path: readonly string[], entry: OverrideEntry): unknown {
  const [name, ...rest] = path;
  if (name === undefined) {
    if (entry.action === "remove") return undefined;
    return entry.action === "default" && before !== undefined ? before : entry.value;
  }
  const isObject = isRecord(before);
  // Only `set` replaces a client's value that is no object.
  if (!isObject && (entry.action === "remove" || (entry.action === "default" && before !== undefined))) return before;
  const inner = isObject ? before : {};
  const value = ownField(inner, name);
  const after = overrideValue(value, rest, entry);
  if (after === value) return before;
  if (after !== undefined) return { ...inner, [name]: after };
  return Object.fromEntries(Object.entries(inner).filter(([field]) => field !== name));
}

export function overrideBody(body: Json, overrides: Overrides): Json {
  const changed = overrideFields(body, overrides);
  if (changed.size === 0) return body;
  const merged = new Map([...Object.entries(body), ...changed]);
  return Object.fromEntries([...merged].filter(([, value]) => value !== undefined));
}

/**
 * Returns the headers with the overrides, by lower-case names. `ofClient`: the client's headers, which are sent in place
 * of a default.
 */
export function overrideHeaders(
  headers: Readonly<Record<string, string>>,
  overrides: Overrides,
  ofClient: Readonly<Record<string, string | readonly string[] | undefined>> = {},
): Record<string, string> {
  const changed = { ...headers };
  for (const { where, action, name: written, value } of entriesOf(overrides)) {
    if (where !== "header") continue;
    const name = written.toLowerCase();
    if (action === "remove") delete changed[name];
    else if (action === "set") changed[name] = String(value);
    else {
      const sent = ofClient[name];
      changed[name] = typeof sent === "string" && sent !== "" ? sent : String(value);
    }
  }
  return changed;
}

function ownField(record: Json, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
