import { plainText } from "../api/plain-text.ts";

/** Reads `?a=1&b=x` as plain texts, and a repeated parameter as a list of texts; the routes' schemas make numbers and switches of them. */
export function parsePlainSearch(search: string): Record<string, string | string[]> {
  const query = new URLSearchParams(search);
  return Object.fromEntries(
    [...query].map(([name, value]) => [name, query.getAll(name).length > 1 ? query.getAll(name) : value]),
  );
}

/** Writes set values as `?a=1&b=x`, and lists as repeated parameters; omits undefined, null and empty ones. */
export function stringifyPlainSearch(search: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries(search)) {
    for (const value of [values].flat())
      if (value !== undefined && value !== null && value !== "") query.append(name, plainText(value));
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}
