/** Splits a comma-separated list of the API; blanks and empty parts are removed. */
export function splitList(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Joins a list into the comma-separated form of the API, without duplicates. */
export function joinList(parts: readonly string[]): string {
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ""))].join(",");
}

/** True for the value of an HTTP header: no control characters, nothing beyond Latin-1. */
export function isHeaderText(text: string): boolean {
  return !/[^\x20-\x7e\xa0-\xff]/.test(text);
}

/** Strips trailing slashes; stored addresses have none. */
export function stripTrailingSlashes(address: string): string {
  let end = address.length;
  while (end > 0 && address[end - 1] === "/") end -= 1;
  return address.slice(0, end);
}
