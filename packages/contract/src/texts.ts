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

const TOKENS_OF_JSON = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** Returns the first name that an object of valid JSON has twice, of which JSON.parse drops one. */
export function findDuplicateName(text: string): string | undefined {
  const open: Set<string>[] = [];
  let last = "";
  for (const [token] of text.matchAll(TOKENS_OF_JSON)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":") {
      const names = open.at(-1);
      if (names?.has(last) === true) return String(JSON.parse(last));
      names?.add(last);
    } else last = token;
  }
  return undefined;
}
