import type { IncomingMessage } from "node:http";

/**
 * Returns the first of the headers (in lower case) that the request has more than once; undefined when there is none. Node keeps the first of two,
 * another hop may have used the second.
 */
export function repeatedHeader({ rawHeaders }: IncomingMessage, onceOnly: ReadonlySet<string>): string | undefined {
  let seen: string[] | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? "";
    if (!onceOnly.has(name)) continue;
    if (seen?.includes(name) === true) return name;
    (seen ??= []).push(name);
  }
  return undefined;
}
