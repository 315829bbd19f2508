/**
 * Returns the first name that appears twice in one object of a JSON text, at any depth; parsers disagree on which counts. Expects well-formed JSON.
 * Linear time.
 */
export function findRepeatedName(json: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const letter = json[at];
    if (letter === "{") open.push(new Set());
    else if (letter === "[") open.push(undefined);
    else if (letter === "}" || letter === "]") open.pop();
    else if (letter === '"') {
      const end = endOfText(json, at + 1);
      const names = open.at(-1);
      if (names !== undefined && isName(json, end + 1)) {
        const written: unknown = JSON.parse(json.slice(at, end + 1));
        const name = String(written);
        if (names.has(name)) return name;
        names.add(name);
      }
      at = end;
    }
  }
  return undefined;
}

function endOfText(json: string, from: number): number {
  let at = from;
  while (at < json.length && json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at;
}

function isName(json: string, from: number): boolean {
  let at = from;
  while (json[at] === " " || json[at] === "\n" || json[at] === "\r" || json[at] === "\t") at += 1;
  return json[at] === ":";
}
