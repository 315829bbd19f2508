/** Splits a comma-separated list as stored in the API; blanks and empty parts vanish. */
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

/** True for a text that can stand in a header of a request: no line breaks and other control characters, nothing beyond Latin-1. */
export function isHeaderText(text: string): boolean {
  return !/[^\x20-\x7e\xa0-\xff]/.test(text);
}

/** Strips trailing slashes, as every stored address is kept. */
export function stripTrailingSlashes(address: string): string {
  let end = address.length;
  while (end > 0 && address[end - 1] === "/") end -= 1;
  return address.slice(0, end);
}
