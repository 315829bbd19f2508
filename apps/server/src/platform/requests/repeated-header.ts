import type { CallerRequest } from "@one-api/http1/server/caller-exchange";

/**
 * Returns the first of the headers (in lower case) that the request has more than once; undefined when there is none. Node keeps the first of two,
 * another hop may have used the second.
 */
export function repeatedHeader(
  { rawHeaders }: Pick<CallerRequest, "rawHeaders">,
  onceOnly: ReadonlySet<string>,
): string | undefined {
  let seen: string[] | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? "";
    // Most headers are told by their length, which costs less than their letters.
    if (!isLengthOf(sent.length, onceOnly)) continue;
    const name = sent.toLowerCase();
    if (!onceOnly.has(name)) continue;
    if (seen?.includes(name) === true) return name;
    (seen ??= []).push(name);
  }
  return undefined;
}

function isLengthOf(length: number, names: ReadonlySet<string>): boolean {
  for (const name of names) if (name.length === length) return true;
  return false;
}
