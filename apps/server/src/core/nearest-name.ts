/** Longer names are compared up to here: the time grows with the length. */
const MOST_COMPARED = 64;

/** Returns the known name with the fewest edits if more than half of it is typed right, else one with a word in common. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const typed = name.slice(0, MOST_COMPARED).toLowerCase();
  const candidates = known.map((candidate) => ({ candidate, edits: countEdits(typed, candidate.toLowerCase()) }));
  const [best] = candidates.toSorted((left, right) => left.edits - right.edits);
  if (best !== undefined && best.edits * 2 < best.candidate.length) return best.candidate;
  const words = new Set(typed.split("_"));
  return known.find((candidate) => candidate.split("_").some((word) => words.has(word)));
}

/** Levenshtein's distance. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let at = 0; at < from.length; at += 1) {
    const next = [at + 1];
    for (let index = 1; index <= to.length; index += 1) {
      const replaced = (row[index - 1] ?? 0) + (from[at] === to[index - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
