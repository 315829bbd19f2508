import { plainText } from "../api/plain-text.ts";

/** Reads `?a=1&b=x` as plain texts; the routes' schemas make numbers and switches of them. */
export function parsePlainSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** Writes set values as `?a=1&b=x`; omits undefined, null and empty ones. */
export function stringifyPlainSearch(search: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== "") query.set(name, plainText(value));
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}
