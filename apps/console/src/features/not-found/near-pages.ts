/** Least similarity at which an address is offered; `logs` and `log` have 0.8, `login` and `log` 0.67. */
const LEAST = 0.7;

function pairsOf(text: string): readonly string[] {
  return Array.from({ length: Math.max(0, text.length - 1) }, (_pair, index) => text.slice(index, index + 2));
}

/** Dice coefficient of two words: shared pairs of letters, 0 to 1. */
function similarity(left: string, right: string): number {
  const [ofLeft, ofRight] = [pairsOf(left), pairsOf(right)];
  const rest = [...ofRight];
  const shared = ofLeft.filter((pair) => {
    const index = rest.indexOf(pair);
    return index >= 0 && rest.splice(index, 1).length > 0;
  }).length;
  return ofLeft.length + ofRight.length === 0 ? 0 : (2 * shared) / (ofLeft.length + ofRight.length);
}

/** Returns the paths that resemble a wrong one, the nearest first. Every part of the wrong path may name the page. */
export function nearPaths(wrong: string, paths: readonly string[]): readonly string[] {
  const lowered = wrong.toLowerCase();
  const words = [...lowered.split(/[^a-z]+/), lowered.replaceAll(/[^a-z]/g, "")];
  const nearOf = (path: string) => Math.max(...words.map((word) => similarity(word, path.slice(1))));
  return paths
    .map((path) => ({ path, near: nearOf(path) }))
    .filter(({ near }) => near >= LEAST)
    .toSorted((left, right) => right.near - left.near)
    .map(({ path }) => path);
}
