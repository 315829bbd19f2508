import type { CallerRequest } from "@one-api/http1/server/caller-exchange";

/**
 * The first of the headers (lower case) that occurs twice. Node uses the first value, but another hop may use
 * the second.
 */
export function repeatedHeader(
  { rawHeaders }: Pick<CallerRequest, "rawHeaders">,
  onceOnly: ReadonlySet<string>,
): string | undefined {
  let seen: string[] | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? "";
    // Comparing lengths first is cheaper than lower-casing every name.
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
