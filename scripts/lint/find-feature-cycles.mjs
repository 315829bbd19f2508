/**
 * One line for each import that closes a circle between features: a → b → … → a.
 * @param {{ place: string, from: string, to: string }[]} edges imports between features, by the folders of these
 * @returns {string[]}
 */
export function findFeatureCycles(edges) {
  const fix = "move what both need to core, or let wire.ts pass one of them in";
  return edges.flatMap(({ place, from, to }) => {
    const way = findWay(edges, to, from, new Set());
    if (way === undefined) return [];
    const names = [from, ...way].map((folder) => folder.split("/").at(-2) ?? folder);
    return [`${place}: the features import each other in a circle (${names.join(" → ")}): ${fix}`];
  });
}

/**
 * @param {{ from: string, to: string }[]} edges @param {string} start @param {string} goal @param {Set<string>} visited
 * @returns {string[] | undefined} the features on the way, both ends included
 */
function findWay(edges, start, goal, visited) {
  if (start === goal) return [goal];
  visited.add(start);
  for (const { from, to } of edges) {
    if (from !== start || visited.has(to)) continue;
    const rest = findWay(edges, to, goal, visited);
    if (rest !== undefined) return [start, ...rest];
  }
  return undefined;
}
