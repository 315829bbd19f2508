import { matchPattern } from "./match-pattern.mjs";

const featureFile = "apps/server/src/features/<feature>/**";

/**
 * One violation for each import that closes a circle between server features: a → b → … → a.
 * @param {import("./check-imports.mjs").ResolvedImport[]} imports
 * @returns {import("./check-imports.mjs").Violation[]}
 */
export function checkFeatureCycles(imports) {
  const edges = imports.flatMap(({ file, line, target }) => {
    const from = featureOf(file);
    const to = featureOf(target);
    const isEdge = from !== undefined && to !== undefined && from !== to && !file.endsWith(".test.ts");
    return isEdge ? [{ file, line, from, to }] : [];
  });
  return edges.flatMap((edge) => {
    const wayBack = findWay(edges, edge.to, edge.from);
    if (wayBack === undefined) return [];
    const fix = "move what both need to core, or let wire.ts pass one of them in";
    return [{ file: edge.file, line: edge.line, rule: `feature-cycle (${[edge.from, ...wayBack].join(" → ")})`, fix }];
  });
}

/**
 * @param {{ from: string, to: string }[]} edges
 * @param {string} start
 * @param {string} goal
 * @param {Set<string>} [visited]
 * @returns {string[] | undefined} the features on the way, both ends included
 */
function findWay(edges, start, goal, visited = new Set()) {
  if (start === goal) return [goal];
  visited.add(start);
  for (const { from, to } of edges) {
    if (from !== start || visited.has(to)) continue;
    const rest = findWay(edges, to, goal, visited);
    if (rest !== undefined) return [start, ...rest];
  }
  return undefined;
}

/** @param {string} place */
function featureOf(place) {
  return matchPattern(featureFile, place)?.["feature"];
}
